"""A project's events as they happen."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from types import TracebackType

from .._model import read
from .._problem import ConnectionFailedError, RequestTimeoutError, WorkspaceError
from .._timing import pause
from ..types import Event, EventStreamState, Gap
from .platform import sleep
from .transport import Call, Transport, server_sent_events

#: The server says something every 15 s; a line that is silent for longer than this is broken; in milliseconds.
SILENCE = 45_000

RATE_LIMITED = 429
FIRST_OF_THE_SERVERS_OWN = 500


class EventStream:
    """A project's events. It comes back by itself and goes on where it was, until it is left.

    `async with` returns when the stream stands: what happens after that is not missed.
    """

    def __init__(
        self,
        transport: Transport,
        types: Sequence[str] = (),
        last_event_id: str | None = None,
        on_state: Callable[[EventStreamState], None] | None = None,
        approver: bool = False,
    ) -> None:
        self._transport = transport
        self._types = ",".join(types) or None
        #: The place after the last event given out.
        self.last_event_id = last_event_id
        self._on_state = on_state
        self._approver = approver or None
        self._events = self._all()

    def __aiter__(self) -> EventStream:
        return self

    async def __anext__(self) -> Event | Gap:
        while True:
            # None says that the stream stands.
            event = await self._events.__anext__()
            if event is not None:
                return event

    async def __aenter__(self) -> EventStream:
        await self._events.__anext__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._events.aclose()

    async def _all(self) -> AsyncGenerator[Event | Gap | None, None]:
        failures = 0
        while True:
            asked, live = None, False
            try:
                headers = {} if self.last_event_id is None else {"Last-Event-ID": self.last_event_id}
                call = Call(query={"types": self._types, "approver": self._approver}, headers=headers, silence=SILENCE)
                response = await self._transport.stream("GET", "/api/v1/events", call)
                async with aclosing(server_sent_events(response)) as blocks:
                    async for block in blocks:
                        failures = 0
                        if not live:
                            live = True
                            self._tell("live")
                            yield None
                        if block.id != "":
                            self.last_event_id = block.id
                        if block.data is not None:
                            data = json.loads(block.data)
                            yield Gap() if data["type"] == "gap" else read(Event, data)
            except WorkspaceError as failure:
                if not _passing(failure):
                    raise
                failures += 1
                asked = failure.retry_after
            finally:
                if live:
                    self._tell("connecting")
            # An orderly end comes back at once; trouble waits a little.
            if failures > 0:
                await sleep(pause(failures, asked))

    def _tell(self, state: EventStreamState) -> None:
        if self._on_state is not None:
            self._on_state(state)


def _passing(failure: WorkspaceError) -> bool:
    """What may be another answer in a moment: nobody answers, or the server, or a proxy, has trouble of its own."""
    if isinstance(failure, (ConnectionFailedError, RequestTimeoutError)):
        return True
    status = failure.status or 0
    return status >= FIRST_OF_THE_SERVERS_OWN or status == RATE_LIMITED
