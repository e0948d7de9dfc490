"""Values that the server takes and gives. Times are RFC 3339 texts; sizes such as `512m` are in powers of 1024."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from ._types.code import CodeExit as CodeExit
from ._types.code import CodeFailure as CodeFailure
from ._types.code import CodeLanguage as CodeLanguage
from ._types.code import CodeSession as CodeSession
from ._types.system import Check as Check
from ._types.system import GCResult as GCResult
from ._types.system import SystemStats as SystemStats

T = TypeVar("T")

#: A stopped sandbox can be started again; an expired one is over.
SandboxState = Literal["starting", "running", "paused", "stopping", "stopped", "expired", "error", "deleted"]
#: What becomes of a sandbox when its time is over: its files are kept for a while, it is stopped with them, or they go.
OnExpiry = Literal["keep", "stop", "delete"]
FileType = Literal["file", "folder", "link", "other"]
ArchiveFormat = Literal["tar", "tar.gz", "zip"]
TerminalRole = Literal["driver", "viewer", "approver"]
TerminalState = Literal["connecting", "open", "reconnecting", "closed"]


@dataclass
class Page(Generic[T]):
    """One page of a listing; the cursor is None on the last one."""

    items: list[T]
    next_cursor: str | None = None


@dataclass
class Resources:
    """Of a sandbox; cpu is in cores."""

    cpu: float | None = None
    memory: str | None = None
    disk: str | None = None


@dataclass
class Egress:
    """Hosts that a sandbox may reach: `example.org`, `*.example.org:8443`, `@pip`; 443 where no port is given."""

    allow: list[str] = field(default_factory=list)
    #: Whether approvers who are there are asked about other hosts.
    ask: bool | None = None


@dataclass
class EgressPreset:
    """A name that stands for many hosts; `from_` is `tool`, `operator` or `public`."""

    name: str
    hosts: list[str]
    from_: str = ""


@dataclass
class KeepAlive:
    """Use of ports, commands and terminals moves a sandbox's end ahead, `until` then at most; the server says that."""

    on_traffic: bool = True
    until: str | None = None


@dataclass
class CreateSandboxParams:
    """What a create may ask for; whatever is absent is the template's."""

    template: str = "default"
    name: str | None = None
    #: How long it lives: 1 to 86400.
    timeout_seconds: int | None = None
    #: Moves its end ahead while it is used, as far as its template allows.
    keep_alive: KeepAlive | None = None
    #: `keep` when absent.
    on_expiry: OnExpiry | None = None
    #: Has commands, terminals, files and ports resume it when it is paused; refused otherwise.
    auto_resume: bool | None = None
    envs: dict[str, str] | None = None
    resources: Resources | None = None
    labels: dict[str, str] | None = None
    egress: Egress | None = None
    #: The id of a kept workspace to take over.
    workspace: str | None = None


@dataclass
class Timeline:
    """Where the time of a start went, in milliseconds."""

    queued_ms: float = 0
    runtime_ms: float = 0
    agent_ms: float = 0


@dataclass
class NfsMount:
    """Where a workspace can be mounted by NFS; `mount_command` runs as it is, as root, with `/mnt` as the place."""

    host: str
    port: int
    path: str
    mount_command: str


@dataclass
class PublishedPort:
    """Where a template's own port can be reached on the server's machine."""

    port: int
    address: str


@dataclass
class ExpiredFiles:
    """What became of an expired sandbox's files; a create takes `workspace` over, `until` then."""

    state: Literal["kept", "removed"]
    workspace: str | None = None
    until: str | None = None


@dataclass
class SandboxInfo:
    """A sandbox as the server shows it."""

    id: str
    state: SandboxState = "starting"
    name: str | None = None
    #: Why it is in error.
    state_reason: str | None = None
    #: Who ended it: `user` or `expired`.
    stop_reason: str | None = None
    template: str = ""
    created_at: str = ""
    expires_at: str = ""
    updated_at: str = ""
    resources: Resources = field(default_factory=Resources)
    labels: dict[str, str] = field(default_factory=dict)
    #: The kept workspace that it took over.
    workspace: str | None = None
    egress: Egress = field(default_factory=Egress)
    keep_alive: KeepAlive | None = None
    on_expiry: OnExpiry = "keep"
    #: Whether use of it resumes it when it is paused.
    auto_resume: bool = False
    #: Only of an expired one.
    expired_files: ExpiredFiles | None = None
    ports: list[PublishedPort] = field(default_factory=list)
    nfs: NfsMount | None = None
    #: Only in the answer to a create.
    timeline: Timeline | None = None
    #: Opens the sandbox's own ports; only in the answer to a create.
    access_token: str | None = None


@dataclass
class FailedError:
    code: int
    name: str
    message: str


@dataclass
class FailedDelete:
    id: str
    error: FailedError


@dataclass
class BatchDeleteResult:
    succeeded: list[str]
    failed: list[FailedDelete]


@dataclass
class LogLine:
    time: str
    stream: str
    text: str


@dataclass
class Usage:
    """CPU is in cores, memory and disk in bytes."""

    usage: float
    limit: float


@dataclass
class NetworkUsage:
    rx_bytes: int = 0
    tx_bytes: int = 0


@dataclass
class SandboxStats:
    cpu: Usage
    memory: Usage
    disk: Usage
    network: NetworkUsage
    pids: int = 0


@dataclass
class CommandResult:
    command_id: str
    #: Minus n when signal n ended it.
    exit_code: int
    stdout: str = ""
    stderr: str = ""
    #: The exact bytes in base64, when they are not UTF-8.
    stdout_base64: str | None = None
    stderr_base64: str | None = None
    truncated: bool = False
    duration_ms: float = 0


@dataclass
class CommandInfo:
    """A command that runs, or ended lately."""

    command_id: str
    command: str
    pid: int
    background: bool
    running: bool
    started_at: str
    stdout_bytes: int = 0
    stderr_bytes: int = 0
    #: Once it has ended.
    exit_code: int | None = None


@dataclass
class StreamEvent:
    """What a running command tells. `type` says which of the other fields are there."""

    type: Literal["start", "stdout", "stderr", "gap", "exit"]
    command_id: str
    #: start
    pid: int | None = None
    #: stdout, stderr: text; bytes that are not UTF-8 are replaced here and exact in `bytes`.
    data: str = ""
    bytes: bytes = b""
    #: gap: these bytes of this stream are no longer kept.
    stream: str | None = None
    from_: int | None = None
    to: int | None = None
    #: exit: minus n when signal n ended it.
    exit_code: int | None = None
    truncated: bool = False
    duration_ms: float | None = None


@dataclass
class BuiltTree:
    """A tree that was built on the server's machine; all sandboxes of its template share it."""

    hash: str
    size_bytes: int
    built_at: str


@dataclass
class Template:
    name: str
    description: str = ""
    #: False when this machine lacks what it promises.
    available: bool = True
    notes: list[str] = field(default_factory=list)
    #: None for one that is not built there, or needs no building.
    built: BuiltTree | None = None
    cpu: float = 0
    memory: str = ""
    disk: str = ""
    ports: list[int] = field(default_factory=list)
    egress: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)


@dataclass
class KeptWorkspace:
    """What a deleted sandbox left; it has the id of that sandbox."""

    id: str
    bytes: int
    kept_at: str


@dataclass
class Event:
    """An event of the project. `data` has the names of the wire; docs of the event schemas describe each type."""

    id: str
    type: str
    timestamp: str
    project: str
    subject: str
    sequence: int
    data: dict[str, Any]


@dataclass
class Gap:
    """Some events are gone, because the stream was away too long: read the present state anew."""

    type: Literal["gap"] = "gap"


@dataclass
class FileInfo:
    """A file, folder or link of a sandbox; `mode` is octal, such as "0644"."""

    path: str
    name: str
    type: FileType
    size: int
    mode: str
    user: str
    group: str
    modified_at: str
    etag: str = ""
    #: What a link says.
    target: str | None = None


@dataclass
class FileEvent:
    """What has happened below a watched folder; after an overflow, look again."""

    type: Literal["created", "changed", "removed", "moved", "overflow"]
    path: str = ""
    folder: bool = False
    #: moved
    to: str | None = None


@dataclass
class FileLink:
    url: str
    method: str
    expires_at: str


@dataclass
class Port:
    """A port on which a program in the sandbox listens; `program` is None when that cannot be told."""

    port: int
    url: str
    program: str | None = None


@dataclass
class PortLink:
    """Whoever has it may use the port until then."""

    url: str
    expires_at: str


EventStreamState = Literal["live", "connecting"]
DeliveryState = Literal["waiting", "delivered", "dead", "cancelled"]


@dataclass
class Endpoint:
    """Where events are sent."""

    id: str
    url: str
    types: list[str]
    enabled: bool
    retry: str
    fifo: bool
    concurrency: int
    signing: str
    created_at: str
    updated_at: str
    description: str | None = None
    rate_limit: int | None = None
    disabled_reason: str | None = None
    disabled_at: str | None = None
    failing_since: str | None = None
    public_key: str | None = None
    #: Only when it has just been made.
    secret: str | None = field(default=None, repr=False)
    previous_secret_until: str | None = None


@dataclass
class DeliveryAttempt:
    """One try to deliver; `response` is how the answer began."""

    at: str
    duration_ms: float
    status: int | None = None
    error: str | None = None
    response: str | None = None


@dataclass
class Delivery:
    id: str
    endpoint_id: str
    event_id: str
    type: str
    subject: str
    state: DeliveryState
    created_at: str
    updated_at: str
    #: The last ones, the oldest first.
    attempts: list[DeliveryAttempt] = field(default_factory=list)
    next_attempt_at: str | None = None


PermissionState = Literal["open", "granted", "denied"]
#: How far a yes to the network reaches: the connections that wait, the sandbox, or its template's new ones as well.
PermissionScope = Literal["once", "sandbox", "template"]


@dataclass
class Permission:
    """A program in a sandbox asks whether it may do something. Its texts hold no control characters."""

    id: str
    state: PermissionState
    sandbox_id: str
    #: Which program asks, by its own account; what it wants to do, with what, why and where.
    source: str = ""
    action: str = ""
    resource: str = ""
    description: str = ""
    cwd: str = ""
    #: The beginning of its tool's input, which has `input_bytes` in all.
    input: str = ""
    input_bytes: int = 0
    #: How many approvers have to say yes.
    quorum: int = 1
    created_at: str = ""
    #: After this the answer is no.
    expires_at: str = ""
    #: The terminal whose program asks; None when no terminal's does.
    session_id: str | None = None
    decided_at: str | None = None
    decided_by: str | None = None
    reason: str | None = None
    #: Until then the same question needs no answer.
    granted_until: str | None = None
    #: How far a yes may reach, only when a closed host is asked about; and how far it reaches.
    scopes: list[PermissionScope] | None = None
    scope: PermissionScope | None = None


@dataclass
class PermissionQuestion:
    """What a program in a terminal asks; after `expires_at` the answer is no."""

    request_id: str
    source: str = ""
    action: str = ""
    resource: str = ""
    description: str = ""
    cwd: str = ""
    input: str = ""
    input_bytes: int = 0
    expires_at: str = ""


@dataclass
class PermissionResolution:
    request_id: str
    granted: bool
    decided_by: str | None = None
    reason: str | None = None
    expires_at: str | None = None


@dataclass
class PTYHandle:
    """A terminal that was just made. A WebSocket asks for `protocols` at `websocket_url`, once."""

    id: str
    websocket_url: str
    protocols: list[str] = field(repr=False)


@dataclass
class PTYInfo:
    """A terminal as listings show it."""

    id: str
    sandbox_id: str
    status: str
    command: str
    websocket_url: str
    created_at: str
    expires_at: str
    exit_code: int | None = None
    end_reason: str | None = None
    sealed: bool = False


@dataclass
class TerminalExit:
    #: Minus n when signal n ended it.
    exit_code: int


@dataclass
class RecordingInfo:
    """A terminal whose output was kept; `size` is in bytes, as far as it is stored."""

    terminal_id: str
    sandbox_id: str
    command: str
    cols: int
    rows: int
    started_at: str
    size: int = 0
    #: Nothing more will be added.
    complete: bool = False
    ended_at: str | None = None
    exit_code: int | None = None


@dataclass
class RecordingHeader:
    """How a recorded terminal began; the timestamp is in seconds since 1970."""

    cols: int
    rows: int
    timestamp: float | None = None


@dataclass
class RecordingEvent:
    """What a recorded terminal did; `after` is the time since what it did before, in seconds."""

    type: Literal["output", "resize", "marker", "exit"]
    after: float
    #: output: the text; marker: the label
    text: str = ""
    #: resize
    cols: int | None = None
    rows: int | None = None
    #: exit
    exit_code: int | None = None


Role = Literal["admin", "developer", "viewer"]


@dataclass
class Key:
    """An API key; `prefix` is the beginning of its text, to recognise it by."""

    id: str
    name: str
    prefix: str
    role: Role
    system: bool
    created_at: str
    last_used_at: str | None = None
    revoked_at: str | None = None
    #: Only when it has just been made.
    key: str | None = field(default=None, repr=False)


@dataclass
class ProjectLimits:
    """What a project may have; None where there is no limit."""

    sandboxes: int
    terminals: int
    event_streams: int
    #: Cores and memory of all its sandboxes that are not stopped.
    cpu: float | None = None
    memory: str | None = None
    #: Of all its sandboxes.
    disk: str | None = None


@dataclass
class ProjectUsage:
    """What a project has now; event streams are those at the server that answers."""

    sandboxes: int
    terminals: int
    event_streams: int
    cpu: float
    memory: str
    disk: str


@dataclass
class Project:
    id: str
    name: str
    created_at: str
    limits: ProjectLimits
    usage: ProjectUsage


@dataclass
class ProjectLimitParams:
    """Limits that are to change. Zero CPU, memory or disk is no limit."""

    sandboxes: int | None = None
    terminals: int | None = None
    event_streams: int | None = None
    cpu: float | None = None
    memory: str | None = None
    disk: str | None = None


@dataclass
class AuditRow:
    """One act; each row carries the hash of the one before."""

    sequence: int
    at: str
    actor: str
    action: str
    subject: str
    previous: str
    hash: str
    detail: str | None = None


@dataclass
class AuditVerdict:
    """Whether the chain of hashes holds, and where it first does not."""

    intact: bool
    first_broken: int | None = None
