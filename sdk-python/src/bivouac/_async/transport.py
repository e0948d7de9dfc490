"""Requests, retries and refusals."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from .._answer import RATE_LIMITED, error_from, may_retry
from .._problem import ConnectionFailedError, RequestTimeoutError, UnexpectedAnswerError, WorkspaceError
from .._sse import EventParser, ServerSentEvent
from .._timing import pause
from .platform import Contents, pieces, sleep

NOT_FOUND = 404


@dataclass(frozen=True)
class Settings:
    """Times are in milliseconds."""

    api_url: str
    api_key: str | None = field(repr=False)
    timeout: float
    retries: int
    headers: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True)
class Call:
    """One request. `repeatable`: whether doing it twice is doing it once; by default whatever is no POST."""

    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    contents: Contents | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool | None = None
    timeout: float | None = None
    #: How long a stream that has begun may be silent, in milliseconds; None: as long as it likes.
    silence: float | None = None


NOTHING = Call()


class Transport:
    """Sends requests, retries what may be repeated, and turns refusals into errors."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # Connections are bounded by the server's own limits; a stream holds one as long as it is read.
        self._http = httpx.AsyncClient(limits=httpx.Limits(max_connections=None, max_keepalive_connections=20))

    async def close(self) -> None:
        await self._http.aclose()

    def url(self, path: str) -> str:
        return self.settings.api_url.rstrip("/") + path

    def authorization(self) -> dict[str, str]:
        key = self.settings.api_key
        return {**self.settings.headers, **({"Authorization": f"Bearer {key}"} if key else {})}

    async def json(self, method: str, path: str, call: Call = NOTHING) -> Any:
        """The answer's JSON; None when it is empty."""

        response = await self._attempts(method, path, call, "application/json", whole=True)
        text = "" if response is None else response.text
        if text == "":
            return None
        try:
            return json.loads(text)
        except ValueError:
            status = None if response is None else response.status_code
            raise UnexpectedAnswerError(f"Not JSON: {text[:200]}", status) from None

    async def stream(
        self, method: str, path: str, call: Call = NOTHING, accept: str = "text/event-stream"
    ) -> httpx.Response:
        """The answer as soon as its head is there. Whoever gets it closes it."""
        response = await self._attempts(method, path, call, accept, whole=False)
        assert response is not None
        return response

    async def _attempts(self, method: str, path: str, call: Call, accept: str, *, whole: bool) -> httpx.Response | None:
        once = call.contents is None or isinstance(call.contents, (str, bytes, Path))
        repeatable = (method != "POST" and once) if call.repeatable is None else call.repeatable and once
        perhaps_done = False
        attempt = 0
        while True:
            try:
                return await self._send(method, path, call, accept, whole=whole)
            except WorkspaceError as failure:
                # The answer to what deleted it was lost.
                if perhaps_done and method == "DELETE" and failure.status == NOT_FOUND:
                    return None
                if attempt >= self.settings.retries or not may_retry(failure, repeatable and once):
                    raise
                perhaps_done = perhaps_done or failure.code != RATE_LIMITED
                await sleep(pause(attempt, failure.retry_after))
                attempt += 1

    async def _send(self, method: str, path: str, call: Call, accept: str, *, whole: bool) -> httpx.Response:
        milliseconds = self.settings.timeout if call.timeout is None else call.timeout
        seconds = milliseconds / 1000
        # A stream is read as it comes, and what is compressed comes late.
        encoding = {} if whole else {"Accept-Encoding": "identity"}
        request = self._http.build_request(
            method,
            self.url(path),
            params=httpx.QueryParams(_query(call.query)),
            headers={"Accept": accept, **encoding, **self.authorization(), **call.headers},
            timeout=httpx.Timeout(seconds, pool=None),
            **_body(call),
        )
        try:
            response = await self._http.send(request, stream=True)
        except (httpx.ReadTimeout, httpx.ConnectTimeout) as late:
            raise RequestTimeoutError(milliseconds) from late
        except httpx.HTTPError as failure:
            raise ConnectionFailedError(f"Cannot reach {self.settings.api_url}: {failure}") from failure
        try:
            if whole or not response.is_success:
                await response.aread()
            else:
                # The limit was for the head. From here on a stream's silence counts.
                silence = None if call.silence is None else call.silence / 1000
                request.extensions["timeout"]["read"] = silence
        except httpx.ReadTimeout as late:
            raise RequestTimeoutError(milliseconds) from late
        except httpx.HTTPError as failure:
            raise ConnectionFailedError(f"The answer was cut off: {failure}") from failure
        finally:
            if whole or not response.is_success:
                await response.aclose()
        if not response.is_success:
            raise error_from(response.status_code, response.headers, response.text)
        return response


async def received(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The bytes of an answer as they arrive; ending the iteration closes the connection."""
    try:
        async for piece in response.aiter_raw():
            yield piece
    except httpx.HTTPError as failure:
        raise ConnectionFailedError(f"The answer was cut off: {failure}") from failure
    finally:
        await response.aclose()


async def server_sent_events(response: httpx.Response) -> AsyncGenerator[ServerSentEvent, None]:
    """The events of a stream; ending the iteration closes the connection."""
    parser = EventParser()
    async with aclosing(received(response)) as all_pieces:
        async for piece in all_pieces:
            for event in parser.feed(piece):
                yield event


def _query(query: Mapping[str, Any]) -> list[tuple[str, str | int | float | bool | None]]:
    pairs: list[tuple[str, str | int | float | bool | None]] = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return pairs


def _body(call: Call) -> dict[str, Any]:
    if call.body is not None:
        return {"json": call.body}
    if call.contents is None:
        return {}
    if isinstance(call.contents, (str, bytes)):
        return {"content": call.contents.encode() if isinstance(call.contents, str) else call.contents}
    return {"content": pieces(call.contents)}
