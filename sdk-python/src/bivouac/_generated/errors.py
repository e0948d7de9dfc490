# Made by sdk-ts/scripts/generate.mjs; do not edit.
"""A class for each row of the server's error table."""

from __future__ import annotations

from collections.abc import Mapping

from .._problem import WorkspaceError


class AuthError(WorkspaceError):
    pass


class RequestError(WorkspaceError):
    pass


class SandboxError(WorkspaceError):
    pass


class ProcessError(WorkspaceError):
    pass


class PTYError(WorkspaceError):
    pass


class SessionError(WorkspaceError):
    pass


class WebhookError(WorkspaceError):
    pass


class SystemError(WorkspaceError):
    pass


class UnauthorizedError(AuthError):
    """1001: The key or token is missing or not valid."""


class ForbiddenError(AuthError):
    """1002: The caller may not do this."""


class InvalidRequestError(RequestError):
    """1003: Invalid request."""


class ConflictError(RequestError):
    """1004: The request contradicts the present state, or another change won."""


class TooLargeError(RequestError):
    """1005: The body is larger than the limit."""


class NotFoundError(RequestError):
    """1006: There is nothing at this address."""


class MethodNotAllowedError(RequestError):
    """1007: This address does not take this method."""


class UnsupportedMediaTypeError(RequestError):
    """1008: The body is not of a type this address reads."""


class NotAcceptableError(RequestError):
    """1009: The answer cannot be given in a type that the caller accepts."""


class SandboxNotFoundError(SandboxError):
    """2001: There is no such sandbox."""


class TemplateNotFoundError(SandboxError):
    """2002: There is no such template."""


class SandboxLimitExceededError(SandboxError):
    """2003: The project has as many sandboxes as it may have."""


class SandboxNotRunningError(SandboxError):
    """2004: The sandbox is not in a state that allows this."""


class SandboxFailedError(SandboxError):
    """2005: The sandbox could not be started; the detail says why."""


class WorkspaceNotFoundError(SandboxError):
    """2006: There is no such kept workspace."""


class UnsupportedByRuntimeError(SandboxError):
    """2007: The runtime that this sandbox uses cannot do this."""


class ProjectLimitExceededError(SandboxError):
    """2008: The project has as much CPU, memory or disk as it may have."""


class InsufficientStorageError(SandboxError):
    """2009: The host's free disk space is down to its reserve; nothing new is stored there."""


class TemplateNotBuiltError(SandboxError):
    """2010: The template has to be built first; the detail says how."""


class SandboxPausedError(SandboxError):
    """2011: The sandbox is paused; it has to be resumed first."""


class PortUnreachableError(WorkspaceError):
    """2101: No program answers on this port of the sandbox."""


class PortLimitExceededError(WorkspaceError):
    """2102: The sandbox's ports have as many connections as they may."""


class FileNotFoundError(WorkspaceError):
    """3001: There is no such file or folder."""


class FileExistsError(WorkspaceError):
    """3002: There is something at this path already."""


class NotAFolderError(WorkspaceError):
    """3003: The path leads to, or through, something that is not a folder."""


class IsAFolderError(WorkspaceError):
    """3004: The path leads to a folder, where a file is needed."""


class FileNotPermittedError(WorkspaceError):
    """3005: The sandbox's own permissions do not allow this."""


class NoSpaceError(WorkspaceError):
    """3006: The sandbox's disk is full."""


class TransferLimitExceededError(WorkspaceError):
    """3007: The sandbox has as many file operations under way as it may."""


class PreconditionFailedError(WorkspaceError):
    """3008: The file is not as If-Match or If-None-Match expects it."""


class RangeNotSatisfiableError(WorkspaceError):
    """3009: The file has no such bytes, or the upload goes on at another one."""


class FolderNotEmptyError(WorkspaceError):
    """3010: The folder is not empty."""


class NotAFileError(WorkspaceError):
    """3011: The path leads to a device, pipe or socket."""


class InvalidArchiveError(WorkspaceError):
    """3012: The archive cannot be read, or has an entry outside of the folder."""


class FileFailedError(WorkspaceError):
    """3013: The sandbox's kernel could not do this; the detail says why."""


class ProcessTimeoutError(ProcessError):
    """4001: The command took longer than its timeout and was ended."""


class CommandFailedError(ProcessError):
    """4002: The command could not be started."""


class CommandNotFoundError(ProcessError):
    """4003: There is no such command."""


class CommandLimitExceededError(ProcessError):
    """4004: The sandbox runs as many commands as it may."""


class CodeSessionNotFoundError(ProcessError):
    """4011: There is no such session of code."""


class CodeResultNotFoundError(ProcessError):
    """4012: There is no such result, or it is no longer kept in this form."""


class CodeLimitExceededError(ProcessError):
    """4013: The sandbox has as many sessions or runs of code as it may."""


class LanguageNotAvailableError(ProcessError):
    """4014: The sandbox's template has not what this language needs."""


class InterpreterFailedError(ProcessError):
    """4015: The interpreter of the language could not be started."""


class PTYNotFoundError(PTYError):
    """4101: There is no such terminal."""


class PTYLimitExceededError(PTYError):
    """4102: There are as many terminals as there may be."""


class SessionNotFoundError(SessionError):
    """4201: There is no such terminal session."""


class SessionExpiredError(SessionError):
    """4202: The terminal session is over."""


class ResourceLimitError(SessionError):
    """4203: There are as many terminal sessions as there may be."""


class PTYFailedError(SessionError):
    """4204: The terminal could not be made, or broke."""


class RecordingNotFoundError(SessionError):
    """4205: The terminal was not recorded."""


class PermissionNotFoundError(WorkspaceError):
    """4301: There is no such permission request."""


class PermissionDecidedError(WorkspaceError):
    """4302: The permission request has its answer already."""


class WebhookNotFoundError(WebhookError):
    """5001: There is no such webhook endpoint."""


class DeliveryNotFoundError(WebhookError):
    """5002: There is no such delivery, or it is no longer kept."""


class WebhookLimitExceededError(WebhookError):
    """5003: The project has as many webhook endpoints as it may have."""


class WebhookAddressForbiddenError(WebhookError):
    """5004: Webhooks may not be sent to this address."""


class InternalError(SystemError):
    """9001: Something went wrong on our side."""


class RateLimitedError(SystemError):
    """9002: Too many requests; Retry-After says when to come back."""


class UnavailableError(SystemError):
    """9003: A part that this needs is not there right now; try again."""


class ShareLimitExceededError(SystemError):
    """9004: The caller or its project has its share of this; Retry-After says when to try again."""


#: Which class stands for which number.
ERROR_CLASSES: Mapping[int, type[WorkspaceError]] = {
    1001: UnauthorizedError,
    1002: ForbiddenError,
    1003: InvalidRequestError,
    1004: ConflictError,
    1005: TooLargeError,
    1006: NotFoundError,
    1007: MethodNotAllowedError,
    1008: UnsupportedMediaTypeError,
    1009: NotAcceptableError,
    2001: SandboxNotFoundError,
    2002: TemplateNotFoundError,
    2003: SandboxLimitExceededError,
    2004: SandboxNotRunningError,
    2005: SandboxFailedError,
    2006: WorkspaceNotFoundError,
    2007: UnsupportedByRuntimeError,
    2008: ProjectLimitExceededError,
    2009: InsufficientStorageError,
    2010: TemplateNotBuiltError,
    2011: SandboxPausedError,
    2101: PortUnreachableError,
    2102: PortLimitExceededError,
    3001: FileNotFoundError,
    3002: FileExistsError,
    3003: NotAFolderError,
    3004: IsAFolderError,
    3005: FileNotPermittedError,
    3006: NoSpaceError,
    3007: TransferLimitExceededError,
    3008: PreconditionFailedError,
    3009: RangeNotSatisfiableError,
    3010: FolderNotEmptyError,
    3011: NotAFileError,
    3012: InvalidArchiveError,
    3013: FileFailedError,
    4001: ProcessTimeoutError,
    4002: CommandFailedError,
    4003: CommandNotFoundError,
    4004: CommandLimitExceededError,
    4011: CodeSessionNotFoundError,
    4012: CodeResultNotFoundError,
    4013: CodeLimitExceededError,
    4014: LanguageNotAvailableError,
    4015: InterpreterFailedError,
    4101: PTYNotFoundError,
    4102: PTYLimitExceededError,
    4201: SessionNotFoundError,
    4202: SessionExpiredError,
    4203: ResourceLimitError,
    4204: PTYFailedError,
    4205: RecordingNotFoundError,
    4301: PermissionNotFoundError,
    4302: PermissionDecidedError,
    5001: WebhookNotFoundError,
    5002: DeliveryNotFoundError,
    5003: WebhookLimitExceededError,
    5004: WebhookAddressForbiddenError,
    9001: InternalError,
    9002: RateLimitedError,
    9003: UnavailableError,
    9004: ShareLimitExceededError,
}

__all__ = [
    "AuthError",
    "RequestError",
    "SandboxError",
    "ProcessError",
    "PTYError",
    "SessionError",
    "WebhookError",
    "SystemError",
    "UnauthorizedError",
    "ForbiddenError",
    "InvalidRequestError",
    "ConflictError",
    "TooLargeError",
    "NotFoundError",
    "MethodNotAllowedError",
    "UnsupportedMediaTypeError",
    "NotAcceptableError",
    "SandboxNotFoundError",
    "TemplateNotFoundError",
    "SandboxLimitExceededError",
    "SandboxNotRunningError",
    "SandboxFailedError",
    "WorkspaceNotFoundError",
    "UnsupportedByRuntimeError",
    "ProjectLimitExceededError",
    "InsufficientStorageError",
    "TemplateNotBuiltError",
    "SandboxPausedError",
    "PortUnreachableError",
    "PortLimitExceededError",
    "FileNotFoundError",
    "FileExistsError",
    "NotAFolderError",
    "IsAFolderError",
    "FileNotPermittedError",
    "NoSpaceError",
    "TransferLimitExceededError",
    "PreconditionFailedError",
    "RangeNotSatisfiableError",
    "FolderNotEmptyError",
    "NotAFileError",
    "InvalidArchiveError",
    "FileFailedError",
    "ProcessTimeoutError",
    "CommandFailedError",
    "CommandNotFoundError",
    "CommandLimitExceededError",
    "CodeSessionNotFoundError",
    "CodeResultNotFoundError",
    "CodeLimitExceededError",
    "LanguageNotAvailableError",
    "InterpreterFailedError",
    "PTYNotFoundError",
    "PTYLimitExceededError",
    "SessionNotFoundError",
    "SessionExpiredError",
    "ResourceLimitError",
    "PTYFailedError",
    "RecordingNotFoundError",
    "PermissionNotFoundError",
    "PermissionDecidedError",
    "WebhookNotFoundError",
    "DeliveryNotFoundError",
    "WebhookLimitExceededError",
    "WebhookAddressForbiddenError",
    "InternalError",
    "RateLimitedError",
    "UnavailableError",
    "ShareLimitExceededError",
]
