# Made by scripts/unasync.py from src/bivouac/_async/client.py; do not edit.
"""The way to a server."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from urllib.parse import quote

from .._model import read
from ..types import EventStreamState, KeptWorkspace, Template
from .events import EventStream
from .listing import Listing
from .permissions import PermissionService
from .projects import AuditService, KeyService, ProjectService
from .recordings import RecordingService
from .sandboxes import SandboxService
from .system import SystemService
from .transport import Settings, Transport
from .webhooks import WebhookService

DEFAULT_URL = "http://127.0.0.1:8080"
DEFAULT_TIMEOUT = 30_000
DEFAULT_RETRIES = 4


class TemplateService:
    """What sandboxes can be made from."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> list[Template]:
        answer = self._transport.json("GET", "/api/v1/templates")
        return [read(Template, one) for one in answer["items"]]


class WorkspaceService:
    """Kept workspaces, which a later create can take over."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> Listing[KeptWorkspace]:
        return Listing(self._transport, "/api/v1/workspaces", lambda one: read(KeptWorkspace, one))

    def delete(self, workspace_id: str) -> None:
        self._transport.json("DELETE", f"/api/v1/workspaces/{quote(workspace_id, safe='')}")


class WorkspaceClient:
    """The way to a Bivouac server.

    Without arguments: the server at BIVOUAC_URL, or http://127.0.0.1:8080, with the key in BIVOUAC_API_KEY.
    `timeout` is how long to wait for an answer, in milliseconds; `retries` how often to try again what may be repeated.
    """

    def __init__(
        self,
        api_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        transport = Transport(
            Settings(
                api_url=_address(api_url or os.environ.get("BIVOUAC_URL") or DEFAULT_URL),
                api_key=api_key or os.environ.get("BIVOUAC_API_KEY") or None,
                timeout=timeout,
                retries=retries,
                headers=headers or {},
            )
        )
        self._transport = transport
        self.sandbox = SandboxService(transport)
        #: The same as `sandbox`.
        self.sandboxes = self.sandbox
        self.templates = TemplateService(transport)
        self.workspaces = WorkspaceService(transport)
        self.webhooks = WebhookService(transport)
        self.permissions = PermissionService(transport)
        self.recordings = RecordingService(transport)
        self.keys = KeyService(transport)
        self.projects = ProjectService(transport)
        self.audit = AuditService(transport)
        self.system = SystemService(transport)

    def events(
        self,
        types: Sequence[str] = (),
        *,
        last_event_id: str | None = None,
        on_state: Callable[[EventStreamState], None] | None = None,
        approver: bool = False,
    ) -> EventStream:
        """The project's events as they happen. Patterns such as `sandbox.*` say which types, all when absent.

        An approver answers permission requests: connections to closed hosts then wait for an answer.
        """
        return EventStream(self._transport, types, last_event_id, on_state, approver)

    def close(self) -> None:
        """Closes its connections. Sandboxes go on."""
        self._transport.close()

    def __enter__(self) -> WorkspaceClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Bivouac(WorkspaceClient):
    """The client under the product's name."""


def _address(given: str) -> str:
    """The address of the server itself: one that leads to its API is taken as well."""
    if not re.match(r"https?://[^/]", given, re.IGNORECASE):
        raise ValueError(f'api_url must begin with http:// or https://, as http://127.0.0.1:8080; it is "{given}".')
    return re.sub(r"/api/v1/?$", "", given).rstrip("/")
