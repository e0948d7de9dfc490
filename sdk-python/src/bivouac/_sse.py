"""Server-sent events, read without any input or output of its own."""

from __future__ import annotations

from dataclasses import dataclass

from ._problem import ConnectionFailedError

#: The longest event taken: more than any that the server sends, so that another stream cannot fill memory.
LONGEST = 16 * 1024 * 1024


@dataclass(frozen=True)
class ServerSentEvent:
    """One event of a stream; a block without data only moves the id on."""

    id: str
    event: str
    data: str | None


class EventParser:
    """Makes events of bytes as they arrive."""

    def __init__(self) -> None:
        self._rest = b""
        self._id = ""

    def feed(self, piece: bytes) -> list[ServerSentEvent]:
        # Only what is new can hold an end that was not found before.
        start = max(0, len(self._rest) - 1)
        self._rest += piece
        found = []
        while (end := self._rest.find(b"\n\n", start)) >= 0:
            block, self._rest, start = self._rest[:end], self._rest[end + 2 :], 0
            found.append(self._parse(block.decode("utf-8", "replace")))
        if len(self._rest) > LONGEST:
            raise ConnectionFailedError("The stream sent an event without an end.")
        return found

    def _parse(self, block: str) -> ServerSentEvent:
        event, data = "message", None
        for line in block.split("\n"):
            field, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if field == "id":
                self._id = value
            elif field == "event":
                event = value
            elif field == "data":
                data = value if data is None else f"{data}\n{value}"
        return ServerSentEvent(self._id, event, data)
