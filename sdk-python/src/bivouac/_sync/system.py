# Made by scripts/unasync.py from src/bivouac/_async/system.py; do not edit.
"""The installation as a whole."""

from __future__ import annotations

from .._model import read
from ..types import Check, GCResult, SystemStats
from .transport import Call, Transport


class SystemService:
    """The installation as a whole; needs a system administrator's key."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def stats(self) -> SystemStats:
        return read(SystemStats, self._transport.json("GET", "/api/v1/stats"))

    def doctor(self) -> list[Check]:
        """What the server needs of its machine; with any other key only its version and who the caller is."""
        answer = self._transport.json("GET", "/api/v1/doctor")
        return [read(Check, one) for one in answer["checks"]]

    def gc(self) -> GCResult:
        """Does now what is done anyway in time: ends what has expired, and removes what nobody owns."""
        return read(GCResult, self._transport.json("POST", "/api/v1/gc", Call(repeatable=True)))
