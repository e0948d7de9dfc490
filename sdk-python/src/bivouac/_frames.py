"""`bivouac.terminal.v1`, the whole vocabulary, and what is kept of both directions; without any input or output.

A frame is one byte of type, eight of a number (big-endian), then bytes. docs/terminal-protocol.md is the authority.
"""

from __future__ import annotations

import json
import struct
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PROTOCOL = "bivouac.terminal.v1"

#: What a plain WebSocket asks for: messages as JSON text.
JSON_PROTOCOL = "bivouac.json"

#: What the server sends.
OUTPUT, EXIT, ERROR, GAP, CONTROL, SEALED, SCREEN, STDERR = range(1, 9)

#: What a client sends.
INPUT, RESIZE, SIGNAL, CREDIT, CLIENT_CONTROL = range(65, 70)

HEADER = struct.Struct(">BQ")

#: The largest piece of input that the server takes at once.
LARGEST_INPUT = 64 * 1024

#: How many bytes the server may send before they are read.
WINDOW = 256 * 1024

#: What one terminal may hold of what was typed and not yet applied.
MOST_WAITING = 1024 * 1024

#: Input on its way: not more than the server keeps, since credit comes by the same way.
MOST_ON_THE_WAY = 256 * 1024


@dataclass(frozen=True)
class Frame:
    """The number is an offset, a sequence or an amount."""

    type: int
    number: int
    payload: bytes

    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.payload)
        return value


def encode(kind: int, number: int, payload: bytes = b"") -> bytes:
    return HEADER.pack(kind, number) + payload


def decode(data: bytes) -> Frame | None:
    """None for what is too short to be a frame."""
    if len(data) < HEADER.size:
        return None
    kind, number = HEADER.unpack_from(data)
    return Frame(kind, number, data[HEADER.size :])


class InputLine:
    """What was typed and the sandbox has not applied yet: kept, so that a new connection can send it again."""

    def __init__(self) -> None:
        self._pieces: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._sent = 0
        self._sent_bytes = 0
        self._last = 0

    def add(self, data: bytes) -> None:
        for start in range(0, len(data), LARGEST_INPUT):
            self._last += 1
            self._pieces.append((self._last, data[start : start + LARGEST_INPUT]))
        self._bytes += len(data)

    def due(self) -> Iterator[bytes]:
        """The frames to send now."""
        while self._sent < len(self._pieces):
            sequence, data = self._pieces[self._sent]
            if self._sent_bytes + len(data) > MOST_ON_THE_WAY:
                return
            self._sent += 1
            self._sent_bytes += len(data)
            yield encode(INPUT, sequence, data)

    def applied(self, sequence: int) -> None:
        while self._pieces and self._pieces[0][0] <= sequence:
            size = len(self._pieces.popleft()[1])
            self._bytes -= size
            if self._sent > 0:
                self._sent -= 1
                self._sent_bytes -= size

    def restart(self, sequence: int) -> None:
        """A new connection, whose server has applied so much, is sent the rest again."""
        self._sent = self._sent_bytes = 0
        self.applied(sequence)

    @property
    def is_full(self) -> bool:
        return self._bytes > MOST_WAITING


class OutputLine:
    """What arrived and was not read yet, never more than the window."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._bytes = 0
        self._read = 0

    def __bool__(self) -> bool:
        return bool(self._chunks)

    def room(self) -> int:
        """What a new connection may send at once."""
        self._read = 0
        return max(1, WINDOW - self._bytes)

    def add(self, chunk: bytes) -> None:
        if chunk:
            self._chunks.append(chunk)
            self._bytes += len(chunk)

    def take(self) -> tuple[bytes, int]:
        """All that is there, and the credit to give for it: seldom enough not to cost."""
        data = b"".join(self._chunks)
        self._chunks.clear()
        self._read += self._bytes
        self._bytes = 0
        if self._read < WINDOW // 4:
            return data, 0
        credit, self._read = self._read, 0
        return data, credit
