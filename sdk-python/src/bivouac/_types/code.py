"""Running code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CodeLanguage = Literal["python", "java", "javascript", "typescript", "go", "bash"]


@dataclass
class CodeSession:
    """An interpreter that keeps its variables from one run to the next."""

    id: str
    language: CodeLanguage = "python"
    cwd: str = ""
    #: `starting`, `idle`, `busy`, or `dead`: that one has a fresh interpreter at its next run.
    state: str = ""
    #: How many runs it has had.
    execution_count: int = 0
    created_at: str = ""
    used_at: str = ""


@dataclass
class CodeFailure:
    """What code raised: its name, such as `ZeroDivisionError`, its text, and the trace as the language prints it."""

    name: str
    value: str
    traceback: str


@dataclass
class CodeExit:
    """How a run ended."""

    ok: bool = False
    #: How many runs the session has had.
    execution_count: int = 0
    duration_ms: float = 0
    #: Whether the session still has its variables.
    session: Literal["kept", "lost"] = "kept"
    timed_out: bool = False
