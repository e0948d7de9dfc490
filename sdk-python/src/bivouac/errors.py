"""Errors. Each has the number and the name of its row in the server's table; `WorkspaceError` is the root of all."""

from ._generated.errors import *  # noqa: F403
from ._generated.errors import __all__ as _rows
from ._problem import (
    ConnectionFailedError,
    RequestTimeoutError,
    UnexpectedAnswerError,
    WebhookVerificationError,
    WorkspaceError,
)

__all__ = [
    "ConnectionFailedError",
    "RequestTimeoutError",
    "UnexpectedAnswerError",
    "WebhookVerificationError",
    "WorkspaceError",
]
__all__ += _rows
