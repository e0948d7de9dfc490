"""Isolated Linux sandboxes: create them, run commands, open terminals, follow events.

Everything here is for asyncio; `bivouac.sync` has the same without it.
"""

from ._async.client import Bivouac, WorkspaceClient
from ._async.commands import ProcessService
from ._async.events import EventStream
from ._async.files import Download, FileService
from ._async.listing import Listing
from ._async.permissions import PermissionService
from ._async.ports import PortService
from ._async.projects import AuditService, KeyService, ProjectService
from ._async.recordings import Recording, RecordingService
from ._async.sandboxes import Sandbox, SandboxService
from ._async.terminals import PermissionRequest, PTYService, Terminal
from ._async.webhooks import WebhookService
from .errors import WorkspaceError
from .types import (
    AuditRow,
    AuditVerdict,
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
    Key,
    LogLine,
    Page,
    Permission,
    PermissionResolution,
    Port,
    PortLink,
    Project,
    ProjectLimitParams,
    ProjectLimits,
    ProjectUsage,
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
    "AuditRow",
    "AuditVerdict",
    "Key",
    "Project",
    "ProjectLimitParams",
    "ProjectLimits",
    "ProjectUsage",
    "AuditService",
    "KeyService",
    "ProjectService",
]
