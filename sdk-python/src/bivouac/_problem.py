"""The root of all errors, and those that no server says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class WorkspaceError(Exception):
    """The root of every error that this package raises; a cancelled task raises its own `CancelledError`."""

    def __init__(
        self,
        message: str,
        *,
        code: int = 0,
        name: str = "",
        status: int | None = None,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The number in the server's error table; 0 when no server said anything.
        self.code = code
        #: The name in that table.
        self.name = name
        #: The HTTP status, when there was an answer.
        self.status = status
        self.details: Mapping[str, Any] = details or {}
        self.request_id = request_id
        #: How long the server asks to wait, in milliseconds.
        self.retry_after = retry_after


class ConnectionFailedError(WorkspaceError):
    """The server could not be reached, or the connection was lost."""

    def __init__(self, message: str) -> None:
        super().__init__(message, name="CONNECTION_FAILED")


class RequestTimeoutError(WorkspaceError):
    """The server took longer to answer than this call may wait."""

    def __init__(self, milliseconds: float) -> None:
        super().__init__(f"No answer within {milliseconds:g} ms.", name="TIMEOUT")


class UnexpectedAnswerError(WorkspaceError):
    """The server answered something that this package does not understand: another version, or no Bivouac at all."""

    def __init__(self, message: str, status: int | None = None, request_id: str | None = None) -> None:
        super().__init__(message, name="UNEXPECTED_ANSWER", status=status, request_id=request_id)


class WebhookVerificationError(WorkspaceError):
    """The delivery is not what the server signed: changed on its way, too old, or another sender's."""

    def __init__(self, message: str) -> None:
        super().__init__(message, name="WEBHOOK_VERIFICATION_FAILED")
