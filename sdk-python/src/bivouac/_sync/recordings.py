# Made by scripts/unasync.py from src/bivouac/_async/recordings.py; do not edit.
"""What terminals have shown."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from urllib.parse import quote

from .._asciicast import read_event, read_header
from .._model import read
from .._problem import ConnectionFailedError
from ..types import RecordingEvent, RecordingHeader, RecordingInfo
from .files import Download
from .listing import Listing
from .transport import Call, Transport

RECORDINGS = "/api/v1/recordings"

#: The longest line taken: more than any that the server sends.
LONGEST = 16 * 1024 * 1024

SILENCE = 45_000


class Recording:
    """One recording, event by event; it may be gone through once."""

    def __init__(self, header: RecordingHeader, lines: Generator[str, None, None]) -> None:
        self.header = header
        self._lines = lines

    def __iter__(self) -> Generator[RecordingEvent, None, None]:
        with closing(self._lines) as lines:
            for line in lines:
                event = read_event(line)
                if event is not None:
                    yield event


class RecordingService:
    """What terminals have shown, kept as asciicast."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def download(self, terminal_id: str) -> Download:
        """The file itself, asciicast v3."""
        path = f"{RECORDINGS}/{quote(terminal_id, safe='')}"
        call = Call(silence=SILENCE)
        return Download(self._transport.stream("GET", path, call, "application/x-asciicast"))

    def open(self, terminal_id: str) -> Recording:
        """Its events as they arrive. Of a terminal that goes on: what is stored so far."""
        lines = _lines(self.download(terminal_id))
        first = ""
        for line in lines:
            first = line
            break
        return Recording(read_header(first), lines)

    def list(self, *, sandbox_id: str | None = None, limit: int | None = None) -> Listing[RecordingInfo]:
        """The newest first."""
        query = {"sandboxId": sandbox_id, "limit": limit}
        return Listing(self._transport, RECORDINGS, lambda one: read(RecordingInfo, one), query)


def _lines(source: Download) -> Generator[str, None, None]:
    rest = b""
    for piece in source:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace")
        if len(rest) > LONGEST:
            raise ConnectionFailedError("The answer has a line without an end.")
    if rest:
        yield rest.decode("utf-8", "replace")
