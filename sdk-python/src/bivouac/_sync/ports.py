# Made by scripts/unasync.py from src/bivouac/_async/ports.py; do not edit.
"""Ports of a sandbox."""

from __future__ import annotations

from urllib.parse import quote

from .._model import read
from ..types import Port, PortLink
from .listing import Listing
from .transport import Call, Transport


class PortService:
    """The ports of a sandbox."""

    def __init__(self, transport: Transport, sandbox_id: str) -> None:
        self._transport = transport
        self._id = quote(sandbox_id, safe="")
        self._path = f"/api/v1/sandboxes/{self._id}"

    def list(self) -> Listing[Port]:
        """The ports on which programs listen right now."""
        return Listing(self._transport, f"{self._path}/ports", lambda one: read(Port, one))

    def url(self, port: int) -> str:
        """Where a program finds a port, with a key or the sandbox's access token. For a browser: `link`."""
        return self._transport.url(f"/sandbox/{self._id}/port/{port}/")

    def headers(self) -> dict[str, str]:
        """The headers that let a program's own client in."""
        return self._transport.authorization()

    def link(self, port: int, *, expires_in_seconds: int | None = None) -> PortLink:
        """A link for a browser, good for an hour unless said otherwise, and for seven days at most."""
        body = {} if expires_in_seconds is None else {"expiresInSeconds": expires_in_seconds}
        call = Call(body=body, repeatable=True)
        return read(PortLink, self._transport.json("POST", f"{self._path}/ports/{port}/link", call))

    def renew_access_token(self) -> str:
        """A new access token. The one before and all links made with it open nothing any more."""
        return str((self._transport.json("POST", f"{self._path}/access-token"))["accessToken"])
