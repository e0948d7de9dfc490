"""The project itself: its keys, its limits, and who did what."""

from __future__ import annotations

from urllib.parse import quote

from .._model import read, write
from ..types import AuditRow, AuditVerdict, Key, Project, ProjectLimitParams, Role
from .listing import Listing
from .transport import Call, Transport


class KeyService:
    """The project's keys; needs the role admin."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def create(self, name: str, *, role: Role | None = None, system: bool | None = None) -> Key:
        """Only this answer has the key's text."""
        fields = {"name": name, "role": role, "system": system}
        body = {field: value for field, value in fields.items() if value is not None}
        return read(Key, await self._transport.json("POST", "/api/v1/keys", Call(body=body)))

    async def revoke(self, key_id: str) -> None:
        """Ends a key at once, and the connections that were opened with it."""
        await self._transport.json("DELETE", f"/api/v1/keys/{quote(key_id, safe='')}")

    def list(self) -> Listing[Key]:
        return Listing(self._transport, "/api/v1/keys", lambda one: read(Key, one))


class ProjectService:
    """Projects, their limits and what they use of them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def get(self, project_id: str = "current") -> Project:
        """The caller's own; another one's only with a system administrator's key."""
        return read(Project, await self._transport.json("GET", _project(project_id)))

    async def set_limits(self, project_id: str, limits: ProjectLimitParams) -> Project:
        """What is not given stays as it is. Needs a system administrator's key."""
        call = Call(body={"limits": write(limits)})
        return read(Project, await self._transport.json("PATCH", _project(project_id), call))


class AuditService:
    """Who did what in the project; needs the role admin."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def verify(self) -> AuditVerdict:
        """Has the server compute every hash again."""
        return read(AuditVerdict, await self._transport.json("GET", "/api/v1/audit/verify"))

    def list(self, *, limit: int | None = None) -> Listing[AuditRow]:
        """The newest first; `limit` is the size of a page."""
        return Listing(self._transport, "/api/v1/audit", lambda one: read(AuditRow, one), {"limit": limit})


def _project(project_id: str) -> str:
    return f"/api/v1/projects/{quote(project_id, safe='')}"
