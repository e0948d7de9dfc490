"""Errors from answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ._generated.errors import ERROR_CLASSES
from ._problem import ConnectionFailedError, UnexpectedAnswerError, WorkspaceError

RATE_LIMITED = 9002
UNAVAILABLE = 9003


def error_of(message: str, *, code: int, name: str, **facts: Any) -> WorkspaceError:
    """The error for a row of the table; an unknown number, of a newer server, is the root class itself."""
    return ERROR_CLASSES.get(code, WorkspaceError)(message, code=code, name=name, **facts)


def error_from(status: int, headers: Mapping[str, str], text: str) -> WorkspaceError:
    """The error that an answer of problem+json carries."""
    request_id = headers.get("x-request-id")
    problem = _parsed(text)
    code, name = problem.get("code"), problem.get("name")
    if not isinstance(code, int) or not isinstance(name, str):
        return UnexpectedAnswerError(f"HTTP {status} without a known error: {text[:200]}", status, request_id)
    detail, details = problem.get("detail"), problem.get("details")
    return error_of(
        detail if isinstance(detail, str) else name,
        code=code,
        name=name,
        status=status,
        details=details if isinstance(details, dict) else None,
        request_id=request_id,
        retry_after=_milliseconds(headers.get("retry-after")),
    )


def may_retry(failure: WorkspaceError, repeatable: bool) -> bool:
    """A request that was refused for its rate was not done; after the others only what is repeatable is repeated."""
    if failure.code == RATE_LIMITED:
        return True
    return repeatable and (failure.code == UNAVAILABLE or isinstance(failure, ConnectionFailedError))


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        # Not JSON: the caller says so, with the beginning of the text.
        return {}
    return value if isinstance(value, dict) else {}


def _milliseconds(header: str | None) -> float | None:
    try:
        return None if header is None else float(header) * 1000
    except ValueError:
        # A date, which our servers do not send.
        return None
