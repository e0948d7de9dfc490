"""Commands in a sandbox."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any
from urllib.parse import quote

import httpx

from .._answer import error_of
from .._model import read
from .._problem import ConnectionFailedError
from .._sse import ServerSentEvent
from .._timing import pause
from ..types import CommandInfo, CommandResult, StreamEvent
from .listing import Listing
from .platform import sleep
from .transport import Call, Transport, server_sent_events

#: The server's own limit for commands that name none, and a while for the way there and back, in milliseconds.
DEFAULT_TIMEOUT = 600_000
GRACE = 30_000

#: Cuts in a row, without a byte between them, after which a stream gives up.
MOST_CUTS = 10

#: The server says something at least every 15 s; a stream that is silent for longer than this is broken.
SILENCE = 45_000

#: A shell line, or the words of a command.
Command = str | Sequence[str]


class ProcessService:
    """Runs commands in a sandbox."""

    def __init__(self, transport: Transport, sandbox_id: str) -> None:
        self._transport = transport
        self._path = f"/api/v1/sandboxes/{quote(sandbox_id, safe='')}/process"

    async def run(
        self,
        command: Command,
        *,
        cwd: str | None = None,
        envs: Mapping[str, str] | None = None,
        user: str | None = None,
        stdin: str | None = None,
        timeout: int | None = None,
        max_output_size: int | None = None,
    ) -> CommandResult:
        """Runs a command to its end. An exit code other than 0 is a result, not an error.

        `timeout` is the command's own, in milliseconds; `max_output_size` is of each of stdout and stderr, in bytes.
        """
        body = _request(command, cwd, envs, user, stdin, timeout, max_output_size)
        patience = (timeout or DEFAULT_TIMEOUT) + GRACE
        return read(
            CommandResult, await self._transport.json("POST", f"{self._path}/run", Call(body=body, timeout=patience))
        )

    async def run_stream(
        self,
        command: Command,
        *,
        cwd: str | None = None,
        envs: Mapping[str, str] | None = None,
        user: str | None = None,
        stdin: str | None = None,
        timeout: int | None = None,
    ) -> AsyncGenerator[StreamEvent, None]:
        """Runs a command and yields what it writes as it comes. A cut connection is taken up where it was."""
        body = {**_request(command, cwd, envs, user, stdin, timeout, None), "stream": True}
        call = Call(body=body, silence=SILENCE)
        first = await self._transport.stream("POST", f"{self._path}/run", call)
        async with aclosing(_CommandStream(self._transport, self._path).all(first)) as events:
            async for event in events:
                yield event

    async def start(
        self,
        command: Command,
        *,
        cwd: str | None = None,
        envs: Mapping[str, str] | None = None,
        user: str | None = None,
        stdin: str | None = None,
        timeout: int | None = None,
    ) -> str:
        """Starts a command that goes on by itself, and gives its id."""
        body = {**_request(command, cwd, envs, user, stdin, timeout, None), "background": True}
        started = await self._transport.json("POST", f"{self._path}/run", Call(body=body))
        return str(started["commandId"])

    async def output(self, command_id: str, *, last_event_id: str | None = None) -> AsyncGenerator[StreamEvent, None]:
        """What a command wrote and writes, from the first byte that is still there."""
        stream = _CommandStream(self._transport, self._path, command_id, last_event_id)
        async with aclosing(stream.all(await stream.reopen())) as events:
            async for event in events:
                yield event

    async def kill(self, command_id: str, signal: int = 15) -> None:
        """Sends a signal, SIGTERM unless said, to the command's whole process group."""
        path = f"{self._path}/{quote(command_id, safe='')}/kill"
        await self._transport.json("POST", path, Call(body={"signal": int(signal)}, repeatable=True))

    def list(self) -> Listing[CommandInfo]:
        """What runs, and what ended lately."""
        return Listing(self._transport, self._path, lambda one: read(CommandInfo, one))


class _CommandStream:
    """A command's output, over as many connections as it takes."""

    def __init__(
        self, transport: Transport, path: str, command_id: str | None = None, last_id: str | None = None
    ) -> None:
        self._transport = transport
        self._path = path
        self._command_id = command_id
        self._last_id = last_id

    async def reopen(self) -> httpx.Response:
        headers = {} if self._last_id is None else {"Last-Event-ID": self._last_id}
        path = f"{self._path}/{quote(self._command_id or '', safe='')}/output"
        return await self._transport.stream("GET", path, Call(headers=headers, silence=SILENCE))

    async def all(self, response: httpx.Response) -> AsyncGenerator[StreamEvent, None]:
        cuts = 0
        while True:
            try:
                async with aclosing(server_sent_events(response)) as events:
                    async for event in events:
                        told = self._take(event)
                        if told is None:
                            continue
                        cuts = 0
                        yield told
                        if told.type == "exit":
                            return
                raise ConnectionFailedError("The stream ended before the command did.")
            except ConnectionFailedError:
                cuts += 1
                if self._command_id is None or cuts > MOST_CUTS:
                    raise
            await sleep(pause(cuts))
            response = await self.reopen()

    def _take(self, event: ServerSentEvent) -> StreamEvent | None:
        if event.data is None:
            return None
        wire: dict[str, Any] = json.loads(event.data)
        if wire["type"] == "error":
            message, name = wire.get("message", "The command failed."), wire.get("name", "COMMAND_FAILED")
            raise error_of(message, code=wire.get("code", 0), name=name, details=wire.get("details"))
        # A resumed stream begins with the same start again.
        again = wire["type"] == "start" and self._last_id is not None
        self._command_id, self._last_id = wire["commandId"], event.id
        if again:
            return None
        told = read(StreamEvent, {key: value for key, value in wire.items() if key != "bytes"})
        if "dataBase64" in wire:
            told.bytes = base64.b64decode(wire["dataBase64"])
            told.data = told.bytes.decode("utf-8", "replace")
        else:
            told.bytes = told.data.encode()
        return told


def _request(
    command: Command,
    cwd: str | None,
    envs: Mapping[str, str] | None,
    user: str | None,
    stdin: str | None,
    timeout: int | None,
    max_output_size: int | None,
) -> dict[str, Any]:
    fields = {
        "command": command if isinstance(command, str) else list(command),
        "cwd": cwd,
        "envs": None if envs is None else dict(envs),
        "user": user,
        "stdin": stdin,
        "timeout": timeout,
        "maxOutputSize": max_output_size,
    }
    return {name: value for name, value in fields.items() if value is not None}
