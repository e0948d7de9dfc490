"""The few things that both forms of the SDK do differently; everything else is written once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from websockets.sync.client import ClientConnection, connect

Condition = threading.Condition
Socket = ClientConnection
Task = threading.Thread
Value = TypeVar("Value")

#: What a file is written from. A path can be read again, so that an upload can be repeated.
Contents = str | bytes | Path | BinaryIO | Iterable[bytes]

PIECE = 64 * 1024

#: How long a thread whose socket was closed may take to end.
ENDING_SECONDS = 10

sleep = time.sleep
open_socket = connect


def spawn(work: Callable[[], None], name: str) -> Task:
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread


def joined(task: Task | None) -> None:
    """Waits for a thread whose work is over, unless it is the caller's own."""
    if task is not None and task is not threading.current_thread():
        task.join(ENDING_SECONDS)


def called(callback: Callable[[Value], Any] | None, value: Value) -> None:
    """Calls what was given."""
    if callback is not None:
        callback(value)


def pieces(contents: Contents) -> Generator[bytes, None, None]:
    """The bytes of contents, piece by piece."""
    if isinstance(contents, Path):
        with contents.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece
    elif isinstance(contents, (str, bytes)):
        yield contents.encode() if isinstance(contents, str) else contents
    elif isinstance(contents, BinaryIO) or hasattr(contents, "read"):
        while piece := contents.read(PIECE):
            yield piece
    else:
        yield from contents


def save(source: Iterable[bytes], target: Path) -> None:
    """Writes what arrives to a file."""
    with target.open("wb") as file:
        for piece in source:
            file.write(piece)
