# Made by scripts/unasync.py from src/bivouac/_async/code.py; do not edit.
"""Code in a sandbox, in interpreters that keep their variables."""

from __future__ import annotations

import json
from collections.abc import Generator, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from .._answer import error_of
from .._model import read
from .._problem import ConnectionFailedError
from ..types import CodeExit, CodeFailure, CodeLanguage, CodeSession
from .listing import Listing
from .platform import called
from .transport import Call, Transport, received, server_sent_events

#: The time that the slowest interpreter takes to start, and a little; in milliseconds.
START_TIMEOUT = 120_000

#: The server says at least every 15 s whether the code is busy; a stream that is silent for longer is broken.
SILENCE = 45_000

PNG, JPEG = "image/png", "image/jpeg"


class CodeResult:
    """A value that code showed, in each form that its language has for it."""

    def __init__(self, code: CodeService, wire: Mapping[str, Any]) -> None:
        self._code = code
        self.id = str(wire["id"])
        #: The value of the last line; the others were shown on the way.
        self.main = bool(wire["main"])
        #: By media type: text as it is; what is binary, as an image, in base64.
        self.mime_bundle: dict[str, Any] = dict(wire["mimeBundle"])
        #: A chart's own data, where the language's library tells it.
        self.chart: Any = wire.get("chart")

    def __repr__(self) -> str:
        return f"CodeResult(id={self.id!r}, types={self.types})"

    @property
    def types(self) -> list[str]:
        """The forms that it has."""
        return list(self.mime_bundle)

    @property
    def text(self) -> str | None:
        return self.mime_bundle.get("text/plain")

    @property
    def html(self) -> str | None:
        return self.mime_bundle.get("text/html")

    @property
    def markdown(self) -> str | None:
        return self.mime_bundle.get("text/markdown")

    @property
    def svg(self) -> str | None:
        return self.mime_bundle.get("image/svg+xml")

    @property
    def json(self) -> Any:
        return self.mime_bundle.get("application/json")

    def png(self) -> bytes | None:
        """The picture; None when it is none."""
        return self.bytes(PNG) if PNG in self.mime_bundle else None

    def jpeg(self) -> bytes | None:
        return self.bytes(JPEG) if JPEG in self.mime_bundle else None

    def bytes(self, type: str) -> bytes:
        """One of its forms, as the server keeps it."""
        return self._code.result(self.id, type)


@dataclass
class CodeEvent:
    """What running code tells. `type` says which of the other fields is there."""

    type: str
    #: start
    execution_id: str = ""
    session_id: str = ""
    #: stdout, stderr
    data: str = ""
    #: result
    result: CodeResult | None = None
    #: error
    error: CodeFailure | None = None
    #: exit
    exit: CodeExit | None = None


@dataclass
class CodeRun:
    """What code did, all of it."""

    execution_id: str = ""
    session_id: str = ""
    stdout: str = ""
    stderr: str = ""
    #: In the order in which they were shown.
    results: list[CodeResult] = field(default_factory=list)
    #: What the code raised.
    error: CodeFailure | None = None
    exit: CodeExit = field(default_factory=CodeExit)

    @property
    def text(self) -> str | None:
        """The value of the last line as text, if it had one."""
        return next((one.text for one in self.results if one.main), None)


class CodeSessionService:
    """Interpreters of a sandbox that keep their variables."""

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path

    def create(self, language: CodeLanguage = "python", *, cwd: str | None = None) -> CodeSession:
        body = {"language": language, **({} if cwd is None else {"cwd": cwd})}
        return read(CodeSession, self._transport.json("POST", self._path, Call(body=body, timeout=START_TIMEOUT)))

    def list(self) -> Listing[CodeSession]:
        return Listing(self._transport, self._path, lambda one: read(CodeSession, one))

    def delete(self, session: CodeSession | str) -> None:
        """Ends an interpreter; its variables go."""
        self._transport.json("DELETE", self._of(session))

    def interrupt(self, session: CodeSession | str) -> None:
        """Stops what runs, as Ctrl-C would; the variables stay."""
        self._transport.json("POST", f"{self._of(session)}/interrupt", Call(repeatable=True))

    def restart(self, session: CodeSession | str) -> None:
        """A fresh interpreter under the same id."""
        call = Call(repeatable=True, timeout=START_TIMEOUT)
        self._transport.json("POST", f"{self._of(session)}/restart", call)

    def _of(self, session: CodeSession | str) -> str:
        return f"{self._path}/{quote(session if isinstance(session, str) else session.id, safe='')}"


class CodeService:
    """Runs code in a sandbox, in interpreters that keep their variables."""

    def __init__(self, transport: Transport, sandbox_id: str) -> None:
        self._transport = transport
        self._path = f"/api/v1/sandboxes/{quote(sandbox_id, safe='')}/code"
        self.sessions = CodeSessionService(transport, f"{self._path}/sessions")

    def run(
        self,
        code: str,
        *,
        language: CodeLanguage | None = None,
        session: CodeSession | str | None = None,
        timeout: float | None = None,
        envs: Mapping[str, str] | None = None,
        on_stdout: Callable[[str], Any] | None = None,
        on_stderr: Callable[[str], Any] | None = None,
        on_result: Callable[[CodeResult], Any] | None = None,
        on_error: Callable[[CodeFailure], Any] | None = None,
    ) -> CodeRun:
        """Runs code to its end. An exception of the code is in `error`, and none of the call.

        `timeout` is in seconds: after that the code is interrupted, and then ended. Without `session` it runs in the
        default one of the language, which the sandbox keeps.
        """
        run = CodeRun()
        stream = self.run_stream(code, language=language, session=session, timeout=timeout, envs=envs)
        with closing(stream) as events:
            for event in events:
                if event.type == "start":
                    run.execution_id, run.session_id = event.execution_id, event.session_id
                elif event.type == "stdout":
                    run.stdout += event.data
                    called(on_stdout, event.data)
                elif event.type == "stderr":
                    run.stderr += event.data
                    called(on_stderr, event.data)
                elif event.result is not None:
                    run.results.append(event.result)
                    called(on_result, event.result)
                elif event.error is not None:
                    run.error = event.error
                    called(on_error, event.error)
                elif event.exit is not None:
                    run.exit = event.exit
        return run

    def run_stream(
        self,
        code: str,
        *,
        language: CodeLanguage | None = None,
        session: CodeSession | str | None = None,
        timeout: float | None = None,
        envs: Mapping[str, str] | None = None,
    ) -> Generator[CodeEvent, None, None]:
        """Runs code and yields what it tells as it comes. Ending the iteration early interrupts the code."""
        fields = {
            "language": language or ("python" if session is None else None),
            "code": code,
            "sessionId": session.id if isinstance(session, CodeSession) else session,
            "timeout": timeout,
            "envs": None if envs is None else dict(envs),
            "stream": True,
        }
        body = {name: value for name, value in fields.items() if value is not None}
        call = Call(body=body, timeout=START_TIMEOUT, silence=SILENCE)
        response = self._transport.stream("POST", self._path, call)
        with closing(server_sent_events(response)) as events:
            for told in events:
                event = None if told.data is None else self._event(json.loads(told.data))
                if event is None:
                    continue
                yield event
                if event.type == "exit":
                    return
        raise ConnectionFailedError("The stream ended before the code did.")

    def result(self, result_id: str, type: str) -> bytes:
        """A value that code showed, as long as the server keeps it."""
        path = f"{self._path}/results/{quote(result_id, safe='')}"
        response = self._transport.stream("GET", path, Call(query={"type": type}), "*/*")
        with closing(received(response)) as pieces:
            return b"".join([piece for piece in pieces])

    def _event(self, wire: dict[str, Any]) -> CodeEvent | None:
        kind = wire["type"]
        if kind == "start":
            return CodeEvent(kind, execution_id=wire["executionId"], session_id=wire["sessionId"])
        if kind in ("stdout", "stderr"):
            return CodeEvent(kind, data=wire["data"])
        if kind == "result":
            return CodeEvent(kind, result=CodeResult(self, wire))
        if kind == "error":
            if "code" in wire:
                raise error_of(wire["message"], code=wire["code"], name=wire["name"])
            lines = wire.get("traceback") or ""
            text = "\n".join(lines) if isinstance(lines, list) else str(lines)
            return CodeEvent(kind, error=CodeFailure(wire["name"], wire["value"], text))
        if kind == "exit":
            return CodeEvent(kind, exit=read(CodeExit, wire))
        # A heartbeat, or an event of a newer server.
        return None
