"""Terminals: making and ending them, and one's own place at one."""

from __future__ import annotations

import contextlib
import json
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlencode

from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from .. import _frames as frames
from .._answer import error_from, error_of
from .._model import read
from .._problem import ConnectionFailedError, UnexpectedAnswerError, WorkspaceError
from .._timing import pause
from ..types import (
    Permission,
    PermissionQuestion,
    PermissionResolution,
    PTYHandle,
    PTYInfo,
    TerminalExit,
    TerminalRole,
    TerminalState,
)
from .listing import Listing
from .permissions import PermissionService
from .platform import Condition, Socket, Task, joined, open_socket, sleep, spawn
from .transport import Call, Transport

#: From asking for a connection until it is open, in seconds.
ATTACH_SECONDS = 20

#: A line that is silent this long is tried with a ping, and given up when that is not answered either; in seconds.
SILENCE_SECONDS = 20

#: How long to wait for the other side's farewell, in seconds.
CLOSE_SECONDS = 2

#: How long a terminal is sought before it is given up, in seconds.
SEARCH_SECONDS = 600

#: More than any message that the server sends.
LARGEST_MESSAGE = 4 * 1024 * 1024

#: The error of a frame that was not understood; the session goes on.
INVALID_REQUEST = 1003

#: Refusals that may be another answer in a moment.
PASSING = (408, 429)


class PTYService:
    """Makes and ends terminals; `sandbox.terminal()` also speaks to them."""

    def __init__(self, transport: Transport, sandbox_id: str) -> None:
        self._transport = transport
        self.path = f"/api/v1/sandboxes/{quote(sandbox_id, safe='')}/pty"

    async def create(
        self,
        cols: int = 80,
        rows: int = 24,
        *,
        command: str | Sequence[str] | None = None,
        cwd: str | None = None,
        envs: Mapping[str, str] | None = None,
        user: str | None = None,
        record: bool | None = None,
        ticket_in_url: bool | None = None,
    ) -> PTYHandle:
        """A terminal for a WebSocket client of one's own: `connect(websocket_url, subprotocols=protocols)`, once.

        Messages are JSON, with their data in base64. With `ticket_in_url` the one-time ticket is part of the
        `websocket_url`, for clients that can ask for no subprotocol.
        """
        made = await self.make(
            cols, rows, command=command, cwd=cwd, envs=envs, user=user, record=record, ticket_in_url=ticket_in_url
        )
        made.protocols = [frames.JSON_PROTOCOL if one == frames.PROTOCOL else one for one in made.protocols]
        return made

    async def make(
        self,
        cols: int,
        rows: int,
        *,
        command: str | Sequence[str] | None = None,
        cwd: str | None = None,
        envs: Mapping[str, str] | None = None,
        user: str | None = None,
        record: bool | None = None,
        ticket_in_url: bool | None = None,
    ) -> PTYHandle:
        """The same, for the binary protocol that `sandbox.terminal()` speaks."""
        fields = {
            "cols": cols,
            "rows": rows,
            "command": command if command is None or isinstance(command, str) else list(command),
            "cwd": cwd,
            "envs": None if envs is None else dict(envs),
            "user": user,
            "record": record,
            "ticketInUrl": ticket_in_url,
        }
        body = {name: value for name, value in fields.items() if value is not None}
        return read(PTYHandle, await self._transport.json("POST", self.path, Call(body=body)))

    async def get(self, terminal_id: str) -> PTYInfo:
        return read(PTYInfo, await self._transport.json("GET", self.one(terminal_id)))

    async def resize(self, terminal_id: str, cols: int, rows: int) -> None:
        call = Call(body={"cols": cols, "rows": rows}, repeatable=True)
        await self._transport.json("POST", self.one(terminal_id, "/resize"), call)

    async def kill(self, terminal_id: str) -> None:
        await self._transport.json("DELETE", self.one(terminal_id))

    async def ticket(self, terminal_id: str) -> list[str]:
        """The subprotocols of one more connection, a fresh one-time ticket among them."""
        call = Call(repeatable=True)
        return list((await self._transport.json("POST", self.one(terminal_id, "/ticket"), call))["protocols"])

    def list(self) -> Listing[PTYInfo]:
        return Listing(self._transport, self.path, lambda one: read(PTYInfo, one))

    def one(self, terminal_id: str, rest: str = "") -> str:
        return f"{self.path}/{quote(terminal_id, safe='')}{rest}"


class PermissionRequest:
    """A program in the terminal asks whether it may do something."""

    def __init__(self, question: PermissionQuestion, permissions: PermissionService) -> None:
        self.question = question
        self.request_id = question.request_id
        self.action = question.action
        self.resource = question.resource
        self._permissions = permissions

    async def answer(self, granted: bool, *, expires_at: str | None = None, reason: str | None = None) -> Permission:
        """Says yes or no."""
        return await self._permissions.answer(self.request_id, granted, expires_at=expires_at, reason=reason)


class Terminal:
    """A terminal in a sandbox: bytes out, bytes in.

    A lost connection is taken up by itself where it was: nothing is shown twice, nothing typed twice. Reading slowly
    holds back this reader only. As a context manager it ends what it made, and leaves what was there.
    """

    def __init__(
        self, transport: Transport, ptys: PTYService, terminal_id: str, role: TerminalRole, ours: bool
    ) -> None:
        self.id = terminal_id
        self.role = role
        self.state: TerminalState = "connecting"
        self._transport = transport
        self._ptys = ptys
        self._ours = ours
        self._permissions = PermissionService(transport)
        # Guards everything below, and tells whoever waits that something has changed.
        self._changed = Condition()
        self._output = frames.OutputLine()
        self._input = frames.InputLine()
        # A terminal that was just made is read from its first byte; one that was there shows its screen.
        self._next: int | None = 0 if ours else None
        self._size: tuple[int, int] | None = None
        self._source = f"sdk-{uuid.uuid4()}"
        self._socket: Socket | None = None
        self._questions: dict[str, PermissionRequest] = {}
        self._asked: list[PermissionRequest] = []
        self._exit: TerminalExit | None = None
        self._failure: WorkspaceError | None = None
        self._task: Task | None = None
        self._protocols: list[str] | None = None
        #: Told of every change of `state`; called in the middle of the work, so it must not wait.
        self.on_state: Callable[[TerminalState], None] | None = None
        #: Told when bytes of output are gone, because nobody read them for too long: from, to.
        self.on_gap: Callable[[int, int], None] | None = None
        #: Told when a permission request has its answer.
        self.on_permission_resolved: Callable[[PermissionResolution], None] | None = None

    async def open(self, protocols: list[str] | None) -> None:
        """Returns when it is attached."""
        self._protocols = protocols
        self._task = spawn(self._serve, f"terminal {self.id}")
        async with self._changed:
            while self.state == "connecting":
                await self._changed.wait()
            if self._failure is not None and self._is_closed:
                raise self._failure

    async def read(self) -> bytes | None:
        """The next bytes of output, all that are there; None when the terminal is over."""
        async with self._changed:
            while not self._output:
                if self._is_closed:
                    if self._failure is not None:
                        raise self._failure
                    return None
                await self._changed.wait()
            data, credit = self._output.take()
            if credit:
                await self._send(frames.encode(frames.CREDIT, credit))
            return data

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        while (data := await self.read()) is not None:
            yield data

    async def write(self, data: str | bytes) -> None:
        """Types. Returns when there is room for more."""
        async with self._changed:
            self._check_open()
            self._input.add(data.encode() if isinstance(data, str) else data)
            if self.state == "open":
                await self._send_input()
            while self._input.is_full and not self._is_closed:
                await self._changed.wait()

    async def resize(self, cols: int, rows: int) -> None:
        async with self._changed:
            self._check_open()
            self._size = (cols, rows)
            if self.state == "open":
                await self._send_size()

    async def signal(self, number: int) -> None:
        """Sends a signal to the program in the foreground."""
        async with self._changed:
            self._check_open()
            await self._send(frames.encode(frames.SIGNAL, int(number)))

    async def wait(self) -> TerminalExit:
        """How the program ended; waits until it does."""
        async with self._changed:
            while not self._is_closed:
                await self._changed.wait()
            if self._exit is None:
                raise self._failure or ConnectionFailedError("The terminal was left.")
            return self._exit

    async def permission_requests(self) -> AsyncGenerator[PermissionRequest, None]:
        """What programs in the terminal ask, as they ask it, until the terminal is over."""
        while True:
            async with self._changed:
                while not self._asked:
                    if self._is_closed:
                        return
                    await self._changed.wait()
                request = self._asked.pop(0)
            yield request

    async def close(self) -> None:
        """Leaves; the terminal goes on and can be attached to again."""
        async with self._changed:
            socket, self._socket = self._socket, None
            self._finish(None)
        if socket is not None:
            # One that is lost already needs no farewell.
            with contextlib.suppress(WebSocketException, OSError):
                await socket.close()
        await joined(self._task)

    async def kill(self) -> None:
        """Ends the terminal and its program."""
        await self._ptys.kill(self.id)

    async def __aenter__(self) -> Terminal:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        over = self._exit is not None
        await self.close()
        if self._ours and not over:
            await self.kill()

    async def _serve(self) -> None:
        """One connection after the other, until the terminal is over, left, or not to be found."""
        sought, attempt = time.monotonic(), 0
        while not self._is_closed:
            failure: WorkspaceError
            try:
                await self._attached()
                failure = ConnectionFailedError("The terminal's connection was closed.")
            except WorkspaceError as refused:
                failure = refused
            except (OSError, WebSocketException) as broken:
                failure = ConnectionFailedError(f"The terminal's connection was lost: {broken}")
            except (KeyError, TypeError, ValueError) as strange:
                failure = UnexpectedAnswerError(f"The server sent a frame that is not understood: {strange!r}")
            async with self._changed:
                self._socket = None
                if self.state == "open":
                    sought, attempt = time.monotonic(), 0
                    self._become("reconnecting")
                status = failure.status
                lasting = status is not None and status < 500 and status not in PASSING
                lasting = lasting or isinstance(failure, UnexpectedAnswerError)
                late = time.monotonic() - sought > SEARCH_SECONDS
                if lasting or late or self.state == "connecting":
                    self._finish(failure)
            if not self._is_closed:
                await sleep(pause(attempt))
                attempt += 1

    async def _attached(self) -> None:
        protocols, self._protocols = self._protocols or await self._ptys.ticket(self.id), None
        query = {"role": self.role, "source": self._source, **({} if self._next is None else {"from": self._next})}
        # By the way that we came, which may be another than the server knows of itself.
        address = "ws" + self._transport.url(self._ptys.one(self.id, "/ws")).removeprefix("http")
        try:
            socket = await open_socket(
                f"{address}?{urlencode(query)}",
                subprotocols=[Subprotocol(one) for one in protocols],
                compression=None,
                open_timeout=ATTACH_SECONDS,
                ping_interval=SILENCE_SECONDS,
                ping_timeout=SILENCE_SECONDS,
                close_timeout=CLOSE_SECONDS,
                max_size=LARGEST_MESSAGE,
            )
        except InvalidStatus as refused:
            answer = refused.response
            text = (answer.body or b"").decode("utf-8", "replace")
            raise error_from(answer.status_code, dict(answer.headers.raw_items()), text) from None
        except (InvalidHandshake, TimeoutError) as failure:
            raise ConnectionFailedError(f"Cannot attach to {self.id}: {failure}") from failure
        async with socket:
            async with self._changed:
                if self._is_closed:
                    return
                self._socket = socket
                await self._send(frames.encode(frames.CREDIT, self._output.room()))
            async for message in socket:
                frame = frames.decode(message) if isinstance(message, bytes) else None
                if frame is None:
                    continue
                async with self._changed:
                    if self._is_closed:
                        return
                    await self._receive(frame)
                    self._changed.notify_all()

    async def _receive(self, frame: frames.Frame) -> None:
        if frame.type in (frames.OUTPUT, frames.STDERR):
            self._next = frame.number + len(frame.payload)
            self._output.add(frame.payload)
        elif frame.type == frames.SCREEN:
            self._next = frame.number
            self._output.add(frame.payload)
        elif frame.type == frames.GAP:
            gap = frame.json()
            self._next = int(gap["to"])
            if self.on_gap is not None:
                self.on_gap(int(gap["from"]), int(gap["to"]))
        elif frame.type == frames.CONTROL:
            await self._control(frame.json())
        elif frame.type == frames.EXIT:
            self._exit = TerminalExit(int(frame.json()["exitCode"]))
            self._finish(None)
        elif frame.type == frames.ERROR:
            told = frame.json()
            if told["code"] != INVALID_REQUEST:
                self._finish(error_of(str(told["message"]), code=int(told["code"]), name=str(told["name"])))

    async def _control(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "attached":
            self._input.restart(int(message["applied"]))
            await self._send_input()
            if self._size is not None:
                await self._send_size()
            self._become("open")
        elif kind == "applied":
            self._input.applied(int(message["sequence"]))
            await self._send_input()
        elif kind == "permission_request":
            request = PermissionRequest(read(PermissionQuestion, message), self._permissions)
            # After a reconnect the server says again what is open.
            if request.request_id not in self._questions:
                self._questions[request.request_id] = request
                self._asked.append(request)
        elif kind == "permission_resolved":
            resolution = read(PermissionResolution, message)
            request_gone = self._questions.pop(resolution.request_id, None)
            if request_gone in self._asked:
                self._asked.remove(request_gone)
            if self.on_permission_resolved is not None:
                self.on_permission_resolved(resolution)

    async def _send_input(self) -> None:
        for frame in self._input.due():
            await self._send(frame)

    async def _send_size(self) -> None:
        if self._size is not None:
            size = {"cols": self._size[0], "rows": self._size[1]}
            await self._send(frames.encode(frames.RESIZE, 0, json.dumps(size).encode()))

    async def _send(self, frame: bytes) -> None:
        if self._socket is not None:
            # A lost connection is noticed by whoever reads, and what was typed is sent again.
            with contextlib.suppress(WebSocketException, OSError):
                await self._socket.send(frame)

    def _finish(self, failure: WorkspaceError | None) -> None:
        if self._is_closed:
            return
        self._failure = failure
        self._become("closed")

    def _become(self, state: TerminalState) -> None:
        self.state = state
        self._changed.notify_all()
        if self.on_state is not None:
            self.on_state(state)

    @property
    def _is_closed(self) -> bool:
        return self.state == "closed"

    def _check_open(self) -> None:
        if self._is_closed:
            raise self._failure or ConnectionFailedError("The terminal is closed.")
