"""The same as `bivouac`, without asyncio: each `await` is a call that returns when it is done."""

from ._sync.client import Bivouac, WorkspaceClient
from ._sync.commands import ProcessService
from ._sync.events import EventStream
from ._sync.files import Download, FileService
from ._sync.listing import Listing
from ._sync.permissions import PermissionService
from ._sync.ports import PortService
from ._sync.recordings import Recording, RecordingService
from ._sync.sandboxes import Sandbox, SandboxService
from ._sync.terminals import PermissionRequest, PTYService, Terminal
from ._sync.webhooks import WebhookService
from .errors import WorkspaceError
from .types import (
    BatchDeleteResult,
    CommandInfo,
    CommandResult,
    CreateSandboxParams,
    Delivery,
    DeliveryAttempt,
    Egress,
    Endpoint,
    Event,
    FileEvent,
    FileInfo,
    FileLink,
    Gap,
    KeepAlive,
    KeptWorkspace,
    LogLine,
    Page,
    Permission,
    PermissionResolution,
    Port,
    PortLink,
    PTYHandle,
    PTYInfo,
    RecordingEvent,
    RecordingHeader,
    RecordingInfo,
    Resources,
    SandboxInfo,
    SandboxStats,
    StreamEvent,
    Template,
    TerminalExit,
)
from .webhooks import verify_webhook

__all__ = [
    "BatchDeleteResult",
    "Bivouac",
    "CommandInfo",
    "CommandResult",
    "CreateSandboxParams",
    "Delivery",
    "DeliveryAttempt",
    "Download",
    "Egress",
    "Endpoint",
    "Event",
    "EventStream",
    "FileEvent",
    "FileInfo",
    "FileLink",
    "FileService",
    "Gap",
    "KeepAlive",
    "KeptWorkspace",
    "Listing",
    "LogLine",
    "PTYHandle",
    "PTYInfo",
    "PTYService",
    "Page",
    "Permission",
    "PermissionRequest",
    "PermissionResolution",
    "PermissionService",
    "Port",
    "PortLink",
    "PortService",
    "ProcessService",
    "Recording",
    "RecordingEvent",
    "RecordingHeader",
    "RecordingInfo",
    "RecordingService",
    "Resources",
    "Sandbox",
    "SandboxInfo",
    "SandboxService",
    "SandboxStats",
    "StreamEvent",
    "Template",
    "Terminal",
    "TerminalExit",
    "WebhookService",
    "WorkspaceClient",
    "WorkspaceError",
    "verify_webhook",
]
