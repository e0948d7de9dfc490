"""Asciicast, version 3."""

from __future__ import annotations

import json
from typing import Any

from ._problem import UnexpectedAnswerError
from .types import RecordingEvent, RecordingHeader

VERSION = 3
LARGEST_SIDE = 10_000


def read_header(line: str) -> RecordingHeader:
    """The first line of a recording."""
    header = _parsed(line)
    if not isinstance(header, dict) or header.get("version") != VERSION:
        raise UnexpectedAnswerError(f"Not an asciicast of version {VERSION}: {line[:100]}")
    term: Any = header.get("term")
    cols: Any = term.get("cols") if isinstance(term, dict) else None
    rows: Any = term.get("rows") if isinstance(term, dict) else None
    if not _is_side(cols) or not _is_side(rows):
        raise UnexpectedAnswerError("The recording does not say how large its terminal was.")
    return RecordingHeader(cols, rows, header.get("timestamp"))


def read_event(line: str) -> RecordingEvent | None:
    """Any later line; None for what a player has no use for, such as comments and kinds of events yet to come."""
    if line == "" or line.startswith("#"):
        return None
    event = _parsed(line)
    after, code, data = event if isinstance(event, list) and len(event) == 3 else (None, None, None)
    if not isinstance(after, (int, float)) or after < 0 or not isinstance(data, str):
        raise UnexpectedAnswerError(f"Not an event of a recording: {line[:100]}")
    if code == "o":
        return RecordingEvent("output", after, text=data)
    if code == "m":
        return RecordingEvent("marker", after, text=data)
    if code == "x":
        return RecordingEvent("exit", after, exit_code=int(data))
    if code == "r":
        cols, _, rows = data.partition("x")
        if cols.isdigit() and rows.isdigit():
            return RecordingEvent("resize", after, cols=int(cols), rows=int(rows))
    return None


def _is_side(value: Any) -> bool:
    return isinstance(value, int) and 0 < value <= LARGEST_SIDE


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise UnexpectedAnswerError(f"Not a line of a recording: {line[:100]}") from None
