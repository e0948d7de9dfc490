export { Bivouac, WorkspaceClient, type WorkspaceClientOptions } from './client.js';
export { CodeResult } from './code/code-result.js';
export type { CodeRun, CodeService } from './code/code-service.js';
export type { CodeSessionService } from './code/code-session-service.js';
export type {
  CodeCallbacks,
  CodeEvent,
  CodeExit,
  CodeFailure,
  CodeLanguage,
  CodeParams,
  CodeSession,
  CodeSessionParams,
} from './code/types.js';
export { EventStream, type EventOf, type EventPattern, type EventStreamOptions, type EventStreamState, type Gap } from './events/event-stream.js';
export type {
  ArchiveFormat,
  Contents,
  Download,
  FileEvent,
  FileInfo,
  FileLink,
  FileOptions,
  FileService,
  FileType,
  LinkParams,
  ListFilesParams,
  ReadParams,
  WatchParams,
  WriteParams,
} from './files/file-service.js';
export * from './generated/errors.js';
export type * from './generated/events.js';
export {
  ConnectionError,
  TimeoutError,
  UnexpectedAnswerError,
  WorkspaceError,
  WorkspaceError as BivouacError,
  type ErrorFacts,
} from './errors/workspace-error.js';
export { Listing, type Page } from './http/listing.js';
export type { CallOptions } from './http/transport.js';
export type {
  Permission,
  PermissionAnswer,
  PermissionListParams,
  PermissionScope,
  PermissionService,
  PermissionState,
} from './permissions/permission-service.js';
export type { AuditRow, AuditService, AuditVerdict } from './project/audit.js';
export type { Key, KeyParams, KeyService, Role } from './project/keys.js';
export type { Project, ProjectLimitParams, ProjectLimits, ProjectService, ProjectUsage } from './project/projects.js';
export type { Check, Checkup, GCResult, SystemService, SystemStats } from './project/system.js';
export type { BuiltTree, Template, TemplateService } from './project/templates.js';
export type { KeptWorkspace, WorkspaceService } from './project/workspaces.js';
export type { RecordingEvent, RecordingHeader } from './recording/asciicast.js';
export type { TerminalInfo, TerminalService } from './terminal/terminal-service.js';
export { recordingOf, type Recording, type RecordingInfo, type RecordingService } from './recording/recording-service.js';
export type { StreamEvent } from './sandbox/command-stream.js';
export type { Port, PortLink, PortService } from './sandbox/port-service.js';
export type { Command, CommandInfo, CommandResult, ProcessService, RunParams } from './sandbox/process-service.js';
export type { PTYHandle, PTYInfo, PTYParams, PTYService } from './sandbox/pty-service.js';
export { Sandbox } from './sandbox/sandbox.js';
export type { CreateOptions, SandboxService } from './sandbox/sandbox-service.js';
export type {
  BatchDeleteResult,
  CreateParams,
  DeleteParams,
  ExpiredFiles,
  ListParams,
  LogLine,
  LogParams,
  Resources,
  BlockedHost,
  Egress,
  EgressPreset,
  EgressState,
  NfsMount,
  OnExpiry,
  SandboxInfo,
  SandboxState,
  SandboxStats,
  Timeline,
} from './sandbox/types.js';
export { AttachedCommand, type AttachParams, type OutputPiece } from './terminal/attached-command.js';
export type { TerminalState } from './terminal/connection.js';
export type { Seal, SealFacts } from './terminal/seal.js';
export { PermissionRequest, type PermissionResolution } from './terminal/permission-request.js';
export { Terminal, type TerminalEvents, type TerminalExit, type TerminalOptions, type TerminalRole } from './terminal/terminal.js';
export { verifyWebhook, WebhookVerificationError, type DeliveryHeaders } from './webhooks/verify.js';
export type { Delivery, DeliveryAttempt, DeliveryState, Endpoint, EndpointParams, WebhookService } from './webhooks/webhook-service.js';
