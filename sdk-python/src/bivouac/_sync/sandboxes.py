# Made by scripts/unasync.py from src/bivouac/_async/sandboxes.py; do not edit.
"""Sandboxes."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any
from urllib.parse import quote

from .._generated.errors import SandboxNotFoundError
from .._model import read, write
from .._problem import WorkspaceError
from ..types import (
    BatchDeleteResult,
    CreateSandboxParams,
    Egress,
    EgressPreset,
    Event,
    LogLine,
    NfsMount,
    SandboxInfo,
    SandboxState,
    SandboxStats,
    TerminalRole,
    Timeline,
)
from .code import CodeService
from .commands import ProcessService
from .files import FileService
from .listing import Listing
from .ports import PortService
from .terminals import PTYService, Terminal
from .transport import Call, Transport

SANDBOXES = "/api/v1/sandboxes"

#: From the server's longest wait for a start, and a little; in milliseconds.
START_TIMEOUT = 75_000


class Sandbox:
    """A sandbox, and what can be done with it. As a context manager it is deleted at the end of its scope."""

    def __init__(self, transport: Transport, service: SandboxService, info: SandboxInfo) -> None:
        self._transport = transport
        self._service = service
        #: As the last answer had it.
        self.info = info
        self.process = ProcessService(transport, info.id)
        self.files = FileService(transport, info.id)
        self.ports = PortService(transport, info.id)
        self.pty = PTYService(transport, info.id)
        self.code = CodeService(transport, info.id)

    def __repr__(self) -> str:
        return f"Sandbox(id={self.id!r}, state={self.state!r})"

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def name(self) -> str | None:
        return self.info.name

    @property
    def state(self) -> SandboxState:
        return self.info.state

    @property
    def template(self) -> str:
        return self.info.template

    @property
    def labels(self) -> dict[str, str]:
        return self.info.labels

    @property
    def created_at(self) -> str:
        return self.info.created_at

    @property
    def expires_at(self) -> str:
        return self.info.expires_at

    @property
    def egress(self) -> Egress:
        return self.info.egress

    @property
    def nfs(self) -> NfsMount | None:
        return self.info.nfs

    @property
    def timeline(self) -> Timeline | None:
        """Where the time of its start went; only in the answer to a create."""
        return self.info.timeline

    @property
    def access_token(self) -> str | None:
        """Opens the sandbox's own ports; only in the answer to a create."""
        return self.info.access_token

    def url(self, port: int) -> str:
        """Where a program finds a port of the sandbox, with a key or the access token. For a browser: `ports.link`."""
        return self.ports.url(port)

    def terminal(
        self,
        *,
        id: str | None = None,
        role: TerminalRole = "driver",
        cols: int = 80,
        rows: int = 24,
        command: str | Sequence[str] | None = None,
        cwd: str | None = None,
        envs: Mapping[str, str] | None = None,
        user: str | None = None,
        record: bool | None = None,
    ) -> Terminal:
        """Opens a terminal, or attaches to the one with this id. A viewer only looks."""
        if id is not None:
            terminal, protocols = Terminal(self._transport, self.pty, id, role, False), None
        else:
            made = self.pty.make(cols, rows, command=command, cwd=cwd, envs=envs, user=user, record=record)
            terminal, protocols = Terminal(self._transport, self.pty, made.id, role, True), made.protocols
        try:
            terminal.open(protocols)
        except BaseException:
            terminal.close()
            if id is None:
                # Nobody would know of a terminal that was made for this call alone.
                with contextlib.suppress(WorkspaceError):
                    terminal.kill()
            raise
        return terminal

    def refresh(self) -> Sandbox:
        """Reads its present state into this object."""
        return self._become(self._service.get(self.id))

    def extend(self, seconds: int) -> Sandbox:
        """Gives it 1 to 3600 seconds more, from its present end."""
        return self._become(self._service.extend(self.id, seconds))

    def set_egress(self, allow: Sequence[str], *, ask: bool | None = None) -> Sandbox:
        """Replaces the hosts that it may reach. Connections that are no longer allowed are cut."""
        return self._become(self._service.set_egress(self.id, allow, ask=ask))

    def stop(self) -> Sandbox:
        """Files stay."""
        return self._become(self._service.stop(self.id))

    def start(self) -> Sandbox:
        return self._become(self._service.start(self.id))

    def pause(self) -> Sandbox:
        """Freezes its processes where they are; it keeps its memory, and its time goes on."""
        return self._become(self._service.pause(self.id))

    def resume(self) -> Sandbox:
        return self._become(self._service.resume(self.id))

    def delete(self, *, keep_workspace: bool = False) -> None:
        self._service.delete(self.id, keep_workspace=keep_workspace)

    def logs(
        self, *, tail: int | None = None, since: str | None = None, until: str | None = None
    ) -> list[LogLine]:
        return self._service.logs(self.id, tail=tail, since=since, until=until)

    def stats(self) -> SandboxStats:
        return self._service.stats(self.id)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.delete()
        except SandboxNotFoundError:
            # Whoever deleted it before its scope ended has what they wanted.
            pass

    def _become(self, other: Sandbox) -> Sandbox:
        # What only a create answers stays.
        old = self.info
        self.info = replace(
            other.info,
            timeline=other.info.timeline or old.timeline,
            access_token=other.info.access_token or old.access_token,
        )
        return self


class SandboxService:
    """Makes and manages sandboxes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        params: CreateSandboxParams | str | None = None,
        *,
        idempotency_key: str | None = None,
        wait: bool = True,
        timeout: float | None = None,
    ) -> Sandbox:
        """Makes a sandbox, and waits until it runs.

        A text is the name of a template; nothing is the template `default`. The idempotency key makes a repeated
        create give the same sandbox; one is made for each call when absent. `wait=False` returns at once, with the
        sandbox still starting. `timeout` is in milliseconds.
        """
        wanted = CreateSandboxParams(template=params) if isinstance(params, str) else params or CreateSandboxParams()
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        if not wait:
            headers["Prefer"] = "respond-async"
        patience = START_TIMEOUT if timeout is None else timeout
        call = Call(body=write(wanted), headers=headers, repeatable=True, timeout=patience)
        return self._wrap(self._transport.json("POST", SANDBOXES, call))

    def get(self, sandbox_id: str) -> Sandbox:
        return self._wrap(self._transport.json("GET", _path(sandbox_id)))

    def connect(self, sandbox_id: str) -> Sandbox:
        """A sandbox that is there, ready for work: one that is stopped is started, a paused one resumed."""
        sandbox = self.get(sandbox_id)
        if sandbox.state == "paused":
            return sandbox.resume()
        return sandbox.start() if sandbox.state in ("stopped", "expired", "starting") else sandbox

    def logs(
        self, sandbox_id: str, *, tail: int | None = None, since: str | None = None, until: str | None = None
    ) -> list[LogLine]:
        """`tail`: how many lines from the end, 1 to 10000."""
        call = Call(query={"tail": tail, "since": since, "until": until})
        answer = self._transport.json("GET", _path(sandbox_id, "/logs"), call)
        return [read(LogLine, line) for line in answer["lines"]]

    def list(
        self,
        *,
        state: SandboxState | None = None,
        template: str | None = None,
        labels: Mapping[str, str] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Listing[Sandbox]:
        """The newest first. All labels must fit; `limit` is the size of a page."""
        label = [f"{key}={value}" for key, value in (labels or {}).items()]
        query = {"state": state, "template": template, "label": label, "limit": limit}
        return Listing(self._transport, SANDBOXES, self._wrap, query, cursor)

    def delete(self, sandbox_id: str, *, keep_workspace: bool = False) -> None:
        """Returns when it is gone. `keep_workspace` keeps /workspace, to be taken over by a later create."""
        query = {"keepWorkspace": True} if keep_workspace else {}
        self._transport.json("DELETE", _path(sandbox_id), Call(query=query))

    def batch_delete(self, ids: Sequence[str], *, keep_workspace: bool = False) -> BatchDeleteResult:
        """At most 50 at once; says how each went."""
        body = {"ids": list(ids), **({"keepWorkspace": True} if keep_workspace else {})}
        call = Call(body=body, repeatable=True)
        return read(BatchDeleteResult, self._transport.json("POST", f"{SANDBOXES}/batch-delete", call))

    def extend(self, sandbox_id: str, seconds: int) -> Sandbox:
        """Gives it 1 to 3600 seconds more, from its present end."""
        call = Call(body={"seconds": seconds})
        return self._wrap(self._transport.json("POST", _path(sandbox_id, "/extend"), call))

    def egress_presets(self) -> Sequence[EgressPreset]:
        """The names that stand for many hosts in an allow-list."""
        answer = self._transport.json("GET", "/api/v1/egress/presets")
        return [read(EgressPreset, one) for one in answer["items"]]

    def set_egress(self, sandbox_id: str, allow: Sequence[str], *, ask: bool | None = None) -> Sandbox:
        """Replaces the hosts that it may reach. Connections that are no longer allowed are cut."""
        call = Call(body=write(Egress(list(allow), ask)))
        return self._wrap(self._transport.json("PUT", _path(sandbox_id, "/egress"), call))

    def stop(self, sandbox_id: str) -> Sandbox:
        """Files stay."""
        return self._wrap(self._transport.json("POST", _path(sandbox_id, "/stop"), Call(repeatable=True)))

    def start(self, sandbox_id: str) -> Sandbox:
        call = Call(repeatable=True, timeout=START_TIMEOUT)
        return self._wrap(self._transport.json("POST", _path(sandbox_id, "/start"), call))

    def pause(self, sandbox_id: str) -> Sandbox:
        """Freezes its processes where they are; it keeps its memory, and its time goes on."""
        return self._wrap(self._transport.json("POST", _path(sandbox_id, "/pause"), Call(repeatable=True)))

    def resume(self, sandbox_id: str) -> Sandbox:
        return self._wrap(self._transport.json("POST", _path(sandbox_id, "/resume"), Call(repeatable=True)))

    def stats(self, sandbox_id: str) -> SandboxStats:
        return read(SandboxStats, self._transport.json("GET", _path(sandbox_id, "/stats")))

    def history(self, sandbox_id: str, *, limit: int | None = None) -> Listing[Event]:
        """Its history, the oldest event first; also of a deleted one."""
        path = _path(sandbox_id, "/events")
        return Listing(self._transport, path, lambda one: read(Event, one), {"limit": limit})

    def _wrap(self, info: Any) -> Sandbox:
        return Sandbox(self._transport, self, read(SandboxInfo, info))


def _path(sandbox_id: str, rest: str = "") -> str:
    return f"{SANDBOXES}/{quote(sandbox_id, safe='')}{rest}"
