// Compiled, never run: what this package sends and reads is what the server's own description says. A field that is
// added, renamed or of another type on either side fails here.
import type * as api from './generated/api.js';
import type {
  AuditRow,
  AuditVerdict,
  BatchDeleteResult,
  CommandInfo,
  CreateParams,
  Delivery,
  Egress,
  Endpoint,
  EndpointParams,
  GCResult,
  Key,
  KeyParams,
  KeptWorkspace,
  LogLine,
  Permission,
  PermissionAnswer,
  PTYInfo,
  PTYParams,
  RecordingInfo,
  RunParams,
  SandboxInfo,
  SandboxStats,
  Project,
  ProjectLimitParams,
  SystemStats,
  Template,
  TerminalInfo,
  WebhookService,
} from '../src/index.js';

/** Without what we spell a second way. */
type Sent = Omit<CreateParams, 'timeout_seconds'>;

/** Without what only we know, and what each method says of itself. */
type SentRun = Omit<RunParams, 'signal'>;
type SentAnswer = Omit<PermissionAnswer, 'expiresAt'> & { expiresAt?: string };
type SentSpan = Parameters<WebhookService['replay']>[1];

/** A command is text or words, which the description cannot say. */
type Commandless<T, More extends keyof T = never> = Omit<T, 'command' | More>;

/** Null and absent are the same on the wire. */
type Loose<T> = T extends Array<infer Item> ? Array<Loose<Item>> : T extends object ? { [K in keyof T]?: Loose<T[K]> | null | undefined } : T;

type SameFields<A, B> = [keyof A] extends [keyof B] ? ([keyof B] extends [keyof A] ? true : never) : never;
type Fits<A, B> = A extends Loose<B> ? true : never;
type Widened<T> = T extends string ? string : T extends Array<infer Item> ? Array<Widened<Item>> : T extends object ? { [K in keyof T]: Widened<T[K]> } : T;

type Same<Ours, Theirs> = SameFields<Ours, Theirs> & Fits<Widened<Ours>, Widened<Theirs>>;

export const checked: [
  Same<Sent, api.CreateRequest>,
  Same<SandboxInfo, api.SandboxView>,
  Same<BatchDeleteResult, api.BatchDeleteSandboxesBatchResult>,
  Same<SandboxStats, api.Usage>,
  Same<LogLine, api.LogLine>,
  Same<Template, api.ListTemplatesTemplateView>,
  Same<KeyParams, api.CreateKeyKeyRequest>,
  Same<Key, api.KeyView>,
  Same<AuditRow, api.ListAuditAuditView>,
  Same<AuditVerdict, api.VerifyAuditVerdict>,
  Same<KeptWorkspace, api.WorkspaceView>,
  Same<SystemStats, api.SystemStatsFigures>,
  Same<Project, api.ProjectView>,
  Same<ProjectLimitParams, api.LimitsRequest>,
  Same<GCResult, api.CollectGarbageCollected>,
  Same<CommandInfo, api.ListCommandsCommand>,
  Same<Endpoint, api.EndpointView>,
  Same<Delivery, api.DeliveryView>,
  Same<RecordingInfo, api.RecordedTerminal>,
  Same<TerminalInfo, api.TerminalView>,
  Same<Permission, api.PermissionView>,
  Same<SentRun, Commandless<api.RunRequest, 'background' | 'stream'>>,
  Same<Commandless<PTYParams>, Commandless<api.CreatePtyRequest, 'sealed'>>,
  Same<PTYInfo, Omit<api.PtyView, 'protocols'>>,
  Same<EndpointParams, api.EndpointRequest>,
  Same<SentSpan, api.ReplayEndpointSpan>,
  Same<SentAnswer, api.ManagePermissionsPermissionAnswer>,
  Same<{ seconds: number }, api.ExtendSandboxExtension>,
  Same<Egress, api.EgressRequest>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];
