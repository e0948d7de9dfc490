"""The installation as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class RuntimeFigures:
    """What sandboxes run on, and which limits it enforces."""

    name: str
    users: bool = False
    memory_limit: bool = False
    pids_limit: bool = False
    cpu_limit: bool = False
    disk_limit: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass
class DiskFigures:
    """Of the file system that sandboxes are on; zeros where the runtime does not look after it."""

    total_bytes: int = 0
    free_bytes: int = 0
    reserved_bytes: int = 0
    reserve_reached: bool = False


@dataclass
class OutboxFigures:
    """Events that are not published yet."""

    unpublished: int = 0
    lag_seconds: float = 0


@dataclass
class WarmPoolFigures:
    """Sandboxes of a template that were started ahead, and the creates that took one or did not."""

    template: str
    ready: int = 0
    wanted: int = 0
    warm_creates: int = 0
    cold_creates: int = 0


@dataclass
class ServerFigures:
    uptime_seconds: float = 0
    heap_bytes: int = 0
    processors: int = 0


@dataclass
class SystemStats:
    installation: str
    host: str
    runtime: RuntimeFigures
    #: How many sandboxes are in each state.
    sandboxes: dict[str, int] = field(default_factory=dict)
    disk: DiskFigures = field(default_factory=DiskFigures)
    outbox: OutboxFigures = field(default_factory=OutboxFigures)
    warm: list[WarmPoolFigures] = field(default_factory=list)
    server: ServerFigures = field(default_factory=ServerFigures)


@dataclass
class Check:
    """One thing that was looked at on the server's machine; what its lack costs, and what mends it."""

    name: str
    ok: bool
    seen: str = ""
    costs: str | None = None
    remedy: str | None = None


@dataclass
class GCResult:
    """What a collection of garbage did."""

    expired: int = 0
    orphans_removed: int = 0
    rows_failed: int = 0
    work_finished: int = 0
    rows_forgotten: int = 0
