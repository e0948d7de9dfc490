# Made by scripts/unasync.py from src/bivouac/_async/permissions.py; do not edit.
"""What programs in sandboxes ask to be allowed."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from .._model import read
from ..types import Permission, PermissionScope, PermissionState
from .listing import Listing
from .transport import Call, Transport

PERMISSIONS = "/api/v1/permissions"


class PermissionService:
    """What programs in the project's sandboxes ask to be allowed."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, request_id: str) -> Permission:
        return read(Permission, self._transport.json("GET", _path(request_id)))

    def answer(
        self,
        request_id: str,
        granted: bool,
        *,
        expires_at: str | None = None,
        reason: str | None = None,
        scope: PermissionScope | None = None,
    ) -> Permission:
        """Says yes or no. It stays open while more approvers have to agree.

        A yes with `expires_at` covers the same question until then; the reason is told to the program.
        `scope` says how far a yes to the network reaches, `once` when absent.
        """
        body: dict[str, Any] = {"granted": granted}
        if expires_at is not None:
            body["expiresAt"] = expires_at
        if reason is not None:
            body["reason"] = reason
        if scope is not None:
            body["scope"] = scope
        return read(Permission, self._transport.json("POST", _path(request_id, "/answer"), Call(body=body)))

    def revoke(self, request_id: str) -> None:
        """Takes a lasting yes back: the same question is asked again."""
        self._transport.json("DELETE", _path(request_id, "/grant"))

    def list(
        self, *, state: PermissionState | None = None, sandbox_id: str | None = None, limit: int | None = None
    ) -> Listing[Permission]:
        """The newest first."""
        query = {"state": state, "sandboxId": sandbox_id, "limit": limit}
        return Listing(self._transport, PERMISSIONS, lambda one: read(Permission, one), query)


def _path(request_id: str, rest: str = "") -> str:
    return f"{PERMISSIONS}/{quote(request_id, safe='')}{rest}"
