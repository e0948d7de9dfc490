// Made by scripts/generate.mjs; do not edit.

import { WorkspaceError } from '../errors/workspace-error.js';

export class AuthError extends WorkspaceError {}
export class RequestError extends WorkspaceError {}
export class SandboxError extends WorkspaceError {}
export class ProcessError extends WorkspaceError {}
export class PTYError extends WorkspaceError {}
export class SessionError extends WorkspaceError {}
export class WebhookError extends WorkspaceError {}
export class SystemError extends WorkspaceError {}

/** 1001: The key or token is missing or not valid. */
export class UnauthorizedError extends AuthError {}

/** 1002: The caller may not do this. */
export class ForbiddenError extends AuthError {}

/** 1003: Invalid request. */
export class InvalidRequestError extends RequestError {}

/** 1004: The request contradicts the present state, or another change won. */
export class ConflictError extends RequestError {}

/** 1005: The body is larger than the limit. */
export class TooLargeError extends RequestError {}

/** 1006: There is nothing at this address. */
export class NotFoundError extends RequestError {}

/** 1007: This address does not take this method. */
export class MethodNotAllowedError extends RequestError {}

/** 1008: The body is not of a type this address reads. */
export class UnsupportedMediaTypeError extends RequestError {}

/** 1009: The answer cannot be given in a type that the caller accepts. */
export class NotAcceptableError extends RequestError {}

/** 2001: There is no such sandbox. */
export class SandboxNotFoundError extends SandboxError {}

/** 2002: There is no such template. */
export class TemplateNotFoundError extends SandboxError {}

/** 2003: The project has as many sandboxes as it may have. */
export class SandboxLimitExceededError extends SandboxError {}

/** 2004: The sandbox is not in a state that allows this. */
export class SandboxNotRunningError extends SandboxError {}

/** 2005: The sandbox could not be started; the detail says why. */
export class SandboxFailedError extends SandboxError {}

/** 2006: There is no such kept workspace. */
export class WorkspaceNotFoundError extends SandboxError {}

/** 2007: The runtime that this sandbox uses cannot do this. */
export class UnsupportedByRuntimeError extends SandboxError {}

/** 2008: The project has as much CPU, memory or disk as it may have. */
export class ProjectLimitExceededError extends SandboxError {}

/** 2009: The host's free disk space is down to its reserve; nothing new is stored there. */
export class InsufficientStorageError extends SandboxError {}

/** 2010: The template has to be built first; the detail says how. */
export class TemplateNotBuiltError extends SandboxError {}

/** 2011: The sandbox is paused; it has to be resumed first. */
export class SandboxPausedError extends SandboxError {}

/** 2101: No program answers on this port of the sandbox. */
export class PortUnreachableError extends WorkspaceError {}

/** 2102: The sandbox's ports have as many connections as they may. */
export class PortLimitExceededError extends WorkspaceError {}

/** 3001: There is no such file or folder. */
export class FileNotFoundError extends WorkspaceError {}

/** 3002: There is something at this path already. */
export class FileExistsError extends WorkspaceError {}

/** 3003: The path leads to, or through, something that is not a folder. */
export class NotAFolderError extends WorkspaceError {}

/** 3004: The path leads to a folder, where a file is needed. */
export class IsAFolderError extends WorkspaceError {}

/** 3005: The sandbox's own permissions do not allow this. */
export class FileNotPermittedError extends WorkspaceError {}

/** 3006: The sandbox's disk is full. */
export class NoSpaceError extends WorkspaceError {}

/** 3007: The sandbox has as many file operations under way as it may. */
export class TransferLimitExceededError extends WorkspaceError {}

/** 3008: The file is not as If-Match or If-None-Match expects it. */
export class PreconditionFailedError extends WorkspaceError {}

/** 3009: The file has no such bytes, or the upload goes on at another one. */
export class RangeNotSatisfiableError extends WorkspaceError {}

/** 3010: The folder is not empty. */
export class FolderNotEmptyError extends WorkspaceError {}

/** 3011: The path leads to a device, pipe or socket. */
export class NotAFileError extends WorkspaceError {}

/** 3012: The archive cannot be read, or has an entry outside of the folder. */
export class InvalidArchiveError extends WorkspaceError {}

/** 3013: The sandbox's kernel could not do this; the detail says why. */
export class FileFailedError extends WorkspaceError {}

/** 4001: The command took longer than its timeout and was ended. */
export class ProcessTimeoutError extends ProcessError {}

/** 4002: The command could not be started. */
export class CommandFailedError extends ProcessError {}

/** 4003: There is no such command. */
export class CommandNotFoundError extends ProcessError {}

/** 4004: The sandbox runs as many commands as it may. */
export class CommandLimitExceededError extends ProcessError {}

/** 4011: There is no such session of code. */
export class CodeSessionNotFoundError extends ProcessError {}

/** 4012: There is no such result, or it is no longer kept in this form. */
export class CodeResultNotFoundError extends ProcessError {}

/** 4013: The sandbox has as many sessions or runs of code as it may. */
export class CodeLimitExceededError extends ProcessError {}

/** 4014: The sandbox's template has not what this language needs. */
export class LanguageNotAvailableError extends ProcessError {}

/** 4015: The interpreter of the language could not be started. */
export class InterpreterFailedError extends ProcessError {}

/** 4101: There is no such terminal. */
export class PTYNotFoundError extends PTYError {}

/** 4102: There are as many terminals as there may be. */
export class PTYLimitExceededError extends PTYError {}

/** 4201: There is no such terminal session. */
export class SessionNotFoundError extends SessionError {}

/** 4202: The terminal session is over. */
export class SessionExpiredError extends SessionError {}

/** 4203: There are as many terminal sessions as there may be. */
export class ResourceLimitError extends SessionError {}

/** 4204: The terminal could not be made, or broke. */
export class PTYFailedError extends SessionError {}

/** 4205: The terminal was not recorded. */
export class RecordingNotFoundError extends SessionError {}

/** 4301: There is no such permission request. */
export class PermissionNotFoundError extends WorkspaceError {}

/** 4302: The permission request has its answer already. */
export class PermissionDecidedError extends WorkspaceError {}

/** 5001: There is no such webhook endpoint. */
export class WebhookNotFoundError extends WebhookError {}

/** 5002: There is no such delivery, or it is no longer kept. */
export class DeliveryNotFoundError extends WebhookError {}

/** 5003: The project has as many webhook endpoints as it may have. */
export class WebhookLimitExceededError extends WebhookError {}

/** 5004: Webhooks may not be sent to this address. */
export class WebhookAddressForbiddenError extends WebhookError {}

/** 9001: Something went wrong on our side. */
export class InternalError extends SystemError {}

/** 9002: Too many requests; Retry-After says when to come back. */
export class RateLimitedError extends SystemError {}

/** 9003: A part that this needs is not there right now; try again. */
export class UnavailableError extends SystemError {}

/** 9004: The caller or its project has its share of this; Retry-After says when to try again. */
export class ShareLimitExceededError extends SystemError {}

/** Which class stands for which number. */
export const ERROR_CLASSES: Readonly<Record<number, typeof WorkspaceError>> = {
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
};
