"""Files of a sandbox."""

from __future__ import annotations

import builtins
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from .._model import read
from ..types import ArchiveFormat, FileEvent, FileInfo, FileLink
from .listing import Listing
from .platform import Contents, save
from .transport import Call, Transport, received, server_sent_events

#: Contents of any size take as long as they take; this long without a byte either way is too long, in milliseconds.
TRANSFER_SILENCE = 300_000

#: A watch says something at least every 15 s; one that is silent for longer than this is broken.
SILENCE = 45_000


class Download:
    """Contents as they arrive, at the reader's pace. It may be gone through once."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        headers = response.headers
        #: Of the whole file, in bytes.
        self.size = int(headers.get("Bivouac-Size") or headers.get("Content-Length") or 0)
        self.etag: str = headers.get("ETag", "")

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        async with aclosing(received(self._response)) as pieces:
            async for piece in pieces:
                yield piece

    async def read(self) -> bytes:
        """All of it."""
        return b"".join([piece async for piece in self])

    async def save(self, target: str | Path) -> None:
        """Writes it to a file on this machine."""
        await save(received(self._response), Path(target))

    async def close(self) -> None:
        """Leaves the rest."""
        await self._response.aclose()


class FileService:
    """The files of a sandbox. Relative paths start in /workspace; `user` says whose permissions count."""

    def __init__(self, transport: Transport, sandbox_id: str) -> None:
        self._transport = transport
        self._path = f"/api/v1/sandboxes/{quote(sandbox_id, safe='')}/files"

    async def read(
        self, path: str, *, offset: int | None = None, length: int | None = None, user: str | None = None
    ) -> str:
        """The text of a file."""
        return (await self.read_bytes(path, offset=offset, length=length, user=user)).decode("utf-8", "replace")

    async def read_bytes(
        self, path: str, *, offset: int | None = None, length: int | None = None, user: str | None = None
    ) -> builtins.bytes:
        return await (await self.download(path, offset=offset, length=length, user=user)).read()

    async def download(
        self, path: str, *, offset: int | None = None, length: int | None = None, user: str | None = None
    ) -> Download:
        """The bytes of a file as they arrive."""
        call = Call(query={"path": path, "user": user}, headers=_range(offset, length), silence=TRANSFER_SILENCE)
        return Download(await self._transport.stream("GET", f"{self._path}/content", call, "application/octet-stream"))

    async def write(
        self,
        path: str,
        contents: Contents,
        *,
        mode: str | None = None,
        parents: bool | None = None,
        only_new: bool = False,
        if_match: str | None = None,
        user: str | None = None,
    ) -> FileInfo:
        """Writes a file all at once: a reader sees the old one or the new one. Text is written as UTF-8.

        A `Path` is a file of this machine. `only_new`: only if there is nothing at the path; `if_match`: only if the
        file still has this etag.
        """
        headers = {"Content-Type": "application/octet-stream"}
        if only_new:
            headers["If-None-Match"] = "*"
        if if_match is not None:
            headers["If-Match"] = if_match
        # A condition that was met is not met again when the answer to it was lost.
        repeatable = not only_new and if_match is None
        query = {"path": path, "mode": mode, "parents": parents, "user": user}
        call = Call(query=query, headers=headers, contents=contents, repeatable=repeatable, timeout=TRANSFER_SILENCE)
        return read(FileInfo, await self._transport.json("PUT", f"{self._path}/content", call))

    async def upload(
        self, path: str, contents: Contents, *, mode: str | None = None, user: str | None = None
    ) -> FileInfo:
        """The same as write, with missing folders made."""
        return await self.write(path, contents, mode=mode, parents=True, user=user)

    async def stat(self, path: str, *, user: str | None = None) -> FileInfo:
        """One entry: of a link itself, not of what it leads to."""
        call = Call(query={"path": path, "user": user})
        return read(FileInfo, await self._transport.json("GET", f"{self._path}/stat", call))

    async def make_dir(self, path: str, *, mode: str | None = None, user: str | None = None) -> FileInfo:
        """Makes a folder and those above it; one that is there is good enough."""
        body = {"path": path, "parents": True, **({} if mode is None else {"mode": mode})}
        call = Call(query={"user": user}, body=body, repeatable=True)
        return read(FileInfo, await self._transport.json("POST", f"{self._path}/folders", call))

    async def move(self, source: str, target: str, *, overwrite: bool = False, user: str | None = None) -> FileInfo:
        body = {"from": source, "to": target, "overwrite": overwrite}
        call = Call(query={"user": user}, body=body)
        return read(FileInfo, await self._transport.json("POST", f"{self._path}/move", call))

    async def remove(self, path: str, *, recursive: bool = False, user: str | None = None) -> None:
        call = Call(query={"path": path, "recursive": recursive or None, "user": user})
        await self._transport.json("DELETE", self._path, call)

    async def change(
        self, path: str, *, mode: str | None = None, owner: str | None = None, user: str | None = None
    ) -> FileInfo:
        """Changes the mode, or the owner, which mostly only root may."""
        wanted = {"path": path, "mode": mode, "user": owner}
        body = {name: value for name, value in wanted.items() if value is not None}
        return read(FileInfo, await self._transport.json("PATCH", self._path, Call(query={"user": user}, body=body)))

    async def archive(self, path: str, format: ArchiveFormat = "tar", *, user: str | None = None) -> Download:
        """A whole folder as it is packed."""
        call = Call(query={"path": path, "format": format, "user": user}, silence=TRANSFER_SILENCE)
        return Download(await self._transport.stream("GET", f"{self._path}/archive", call, "*/*"))

    async def unpack(self, path: str, archive: Contents, *, user: str | None = None) -> int:
        """Unpacks a tar or tar.gz into a folder, which is made if it is missing; tells how many entries it had."""
        headers = {"Content-Type": "application/octet-stream"}
        query = {"path": path, "user": user}
        call = Call(query=query, headers=headers, contents=archive, timeout=TRANSFER_SILENCE)
        return int((await self._transport.json("PUT", f"{self._path}/archive", call))["entries"])

    async def watch(
        self, path: str = ".", *, recursive: bool = False, user: str | None = None
    ) -> AsyncGenerator[FileEvent, None]:
        """What changes in a folder from now on. Ending the iteration ends the watch."""
        call = Call(query={"path": path, "recursive": recursive or None, "user": user}, silence=SILENCE)
        response = await self._transport.stream("GET", f"{self._path}/watch", call)
        async with aclosing(server_sent_events(response)) as events:
            async for event in events:
                if event.data is not None:
                    yield read(FileEvent, json.loads(event.data))

    async def link(
        self, path: str, *, method: str = "GET", expires_in_seconds: int | None = None, user: str | None = None
    ) -> FileLink:
        """A URL that works without a key, for this path and method alone, until it expires."""
        body: dict[str, Any] = {"path": path, "method": method}
        if expires_in_seconds is not None:
            body["expiresInSeconds"] = expires_in_seconds
        call = Call(query={"user": user}, body=body)
        return read(FileLink, await self._transport.json("POST", f"{self._path}/links", call))

    def list(
        self, path: str = ".", *, depth: int | None = None, limit: int | None = None, user: str | None = None
    ) -> Listing[FileInfo]:
        """The entries of a folder in the order of their paths. `depth` is 1 by default and 16 at most."""
        query = {"path": path, "depth": depth, "limit": limit, "user": user}
        return Listing(self._transport, self._path, lambda one: read(FileInfo, one), query)


def _range(offset: int | None, length: int | None) -> dict[str, str]:
    if offset is None and length is None:
        return {}
    first = offset or 0
    return {"Range": f"bytes={first}-{'' if length is None else first + length - 1}"}
