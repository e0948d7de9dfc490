"""The few things that both forms of the SDK do differently; everything else is written once."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Coroutine
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from websockets.asyncio.client import ClientConnection, connect

Condition = asyncio.Condition
Socket = ClientConnection
Task = asyncio.Task[None]
Value = TypeVar("Value")

#: What a file is written from. A path can be read again, so that an upload can be repeated.
Contents = str | bytes | Path | BinaryIO | AsyncIterable[bytes]

PIECE = 64 * 1024

sleep = asyncio.sleep
open_socket = connect


def spawn(work: Callable[[], Coroutine[Any, Any, None]], name: str) -> Task:
    return asyncio.create_task(work(), name=name)


async def joined(task: Task | None) -> None:
    """Ends a task and waits for it, unless it is the caller's own."""
    if task is None or task is asyncio.current_task():
        return
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def called(callback: Callable[[Value], Any] | None, value: Value) -> None:
    """Calls what was given, a coroutine or a plain function, and waits for it."""
    outcome = None if callback is None else callback(value)
    if inspect.isawaitable(outcome):
        await outcome


async def pieces(contents: Contents) -> AsyncGenerator[bytes, None]:
    """The bytes of contents, piece by piece."""
    if isinstance(contents, Path):
        with await asyncio.to_thread(contents.open, "rb") as file:
            while piece := await asyncio.to_thread(file.read, PIECE):
                yield piece
    elif isinstance(contents, AsyncIterable):
        async for piece in contents:
            yield piece
    elif isinstance(contents, (str, bytes)):
        yield contents.encode() if isinstance(contents, str) else contents
    else:
        while piece := await asyncio.to_thread(contents.read, PIECE):
            yield piece


async def save(source: AsyncIterable[bytes], target: Path) -> None:
    """Writes what arrives to a file."""
    with await asyncio.to_thread(target.open, "wb") as file:
        async for piece in source:
            await asyncio.to_thread(file.write, piece)
