// Made by scripts/generate.mjs; do not edit.

export interface BatchDeleteSandboxesBatchRequest {
  ids?: Array<string> | null;
  keepWorkspace?: boolean | null;
}

export interface BatchDeleteSandboxesBatchResult {
  succeeded: Array<string>;
  failed: Array<BatchDeleteSandboxesFailed>;
}

export interface BatchDeleteSandboxesFailed {
  id: string;
  error: BatchDeleteSandboxesFailedError;
}

export interface BatchDeleteSandboxesFailedError {
  code: number;
  name: string;
  message: string;
}

export interface ChangeProjectProjectChange {
  sandboxLimit?: number | null;
}

export interface CollectGarbageCollected {
  expired: number;
  orphansRemoved: number;
  rowsFailed: number;
  workFinished: number;
  rowsForgotten: number;
}

/** Without a role the key is a developer's. */
export interface CreateKeyKeyRequest {
  name?: string | null;
  role?: string | null;
  system?: boolean | null;
}

export interface CreateProjectMadeProject {
  id: string;
  name: string;
  sandboxLimit: number;
  createdAt: string;
  key: string;
}

export interface CreateProjectProjectRequest {
  name?: string | null;
  sandboxLimit?: number | null;
}

/** The sandbox's shell in 80 columns and 24 rows, unless it says otherwise. */
export interface CreatePtyRequest {
  cols?: number | null;
  rows?: number | null;
  command?: JsonNode | null;
  cwd?: string | null;
  envs?: Record<string, string> | null;
  user?: string | null;
  record?: boolean | null;
}

/** What a create may ask for; CreateRules says within which bounds. */
export interface CreateRequest {
  template?: string | null;
  name?: string | null;
  timeoutSeconds?: number | null;
  envs?: Record<string, string> | null;
  resources?: CreateRequestResourcesRequest | null;
  labels?: Record<string, string> | null;
  egress?: CreateRequestEgressRequest | null;
  workspace?: string | null;
}

/** Hosts that the sandbox may reach. */
export interface CreateRequestEgressRequest {
  allow?: Array<string> | null;
}

/** Each absent part is the template's. */
export interface CreateRequestResourcesRequest {
  cpu?: number | null;
  memory?: string | null;
  disk?: string | null;
}

export interface ExecCommandRequest {
  command?: JsonNode | null;
  cwd?: string | null;
  envs?: Record<string, string> | null;
  user?: string | null;
  stdin?: string | null;
  timeout?: number | null;
  maxOutputSize?: number | null;
}

export interface ExecCommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface ExtendSandboxExtension {
  seconds?: number | null;
}

export interface JsonNode {
  value?: Record<string, unknown> | null;
  number?: boolean;
  numberValue: number;
  intValue?: number;
  longValue?: number;
  floatValue?: number;
  doubleValue?: number;
  bigIntegerValue: number;
  bigDecimalValue: number;
  string?: boolean;
  stringValue: string;
  boolean?: boolean;
  booleanValue?: boolean;
  null?: boolean;
  valueNode?: boolean;
  containerNode?: boolean;
  array?: boolean;
  object?: boolean;
}

/** A key as its project sees it. */
export interface KeyView {
  id: string;
  name: string;
  prefix: string;
  role: string;
  system: boolean;
  createdAt: string;
  lastUsedAt?: string | null;
  revokedAt?: string | null;
  /** the text itself, shown once, when it is made */
  key?: string | null;
}

export interface KillCommandKilled {
  commandId: string;
  signal: number;
}

/** TERM unless it says otherwise. */
export interface KillCommandRequest {
  signal?: number | null;
}

export interface ListAuditAuditView {
  sequence: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
  detail: string;
  previous: string;
  hash: string;
}

/** An exit code is there once it has ended. */
export interface ListCommandsCommand {
  commandId: string;
  command: string;
  pid: number;
  background: boolean;
  running: boolean;
  exitCode?: number | null;
  startedAt: string;
  stdoutBytes: number;
  stderrBytes: number;
}

export interface ListCommandsCommands {
  items: Array<ListCommandsCommand>;
  nextCursor: string | null;
}

export interface ListTemplatesTemplateView {
  name: string;
  description: string;
  available: boolean;
  cpu: number;
  memory: string;
  disk: string;
  ports: Array<number>;
  commands: Array<string>;
}

export interface ListingJsonNode {
  items: Array<JsonNode>;
  nextCursor: string | null;
}

export interface ListingKeyView {
  items: Array<KeyView>;
  nextCursor: string | null;
}

export interface ListingListAuditAuditView {
  items: Array<ListAuditAuditView>;
  nextCursor: string | null;
}

export interface ListingListTemplatesTemplateView {
  items: Array<ListTemplatesTemplateView>;
  nextCursor: string | null;
}

export interface ListingProject {
  items: Array<Project>;
  nextCursor: string | null;
}

export interface ListingSandboxView {
  items: Array<SandboxView>;
  nextCursor: string | null;
}

export interface ListingWorkspaceView {
  items: Array<WorkspaceView>;
  nextCursor: string | null;
}

export interface LogLine {
  time: string;
  stream: string;
  text: string;
}

export interface ManagePtyProtocols {
  protocols: Array<string>;
}

export interface ManagePtyPtys {
  items: Array<PtyView>;
  nextCursor: string | null;
}

export interface ManagePtyResized {
  id: string;
  cols: number;
  rows: number;
}

export interface ManagePtySize {
  cols?: number | null;
  rows?: number | null;
}

export interface ManageSessionProtocols {
  protocols: Array<string>;
}

export interface ManageSessionSessions {
  items: Array<SessionView>;
  nextCursor: string | null;
}

export interface Project {
  id: string;
  name: string;
  sandboxLimit: number;
  createdAt: string;
}

/** A PTY as its clients see it; the protocols are shown to whoever may open its WebSocket now. */
export interface PtyView {
  id: string;
  sandboxId: string;
  status: string;
  command: string;
  websocketUrl: string;
  protocols?: Array<string> | null;
  createdAt: string;
  expiresAt: string;
  exitCode?: number | null;
  endReason?: string | null;
}

/** What to run, as it came from outside; CommandOrder checks it. */
export interface RunRequest {
  command?: JsonNode | null;
  cwd?: string | null;
  envs?: Record<string, string> | null;
  user?: string | null;
  stdin?: string | null;
  /** in milliseconds */
  timeout?: number | null;
  /** of each of stdout and stderr, in bytes */
  maxOutputSize?: number | null;
  background?: boolean | null;
  stream?: boolean | null;
}

export interface SandboxId {
  value: string;
}

export interface SandboxLogsLogs {
  lines: Array<LogLine>;
}

/** A sandbox as clients see it. */
export interface SandboxView {
  id: string;
  name?: string | null;
  state: string;
  stateReason?: string | null;
  stopReason?: string | null;
  template: string;
  createdAt: string;
  expiresAt: string;
  updatedAt: string;
  resources: SandboxViewResourcesView;
  labels: Record<string, string>;
  workspace?: string | null;
  timeline?: SandboxViewTimeline | null;
  /** opens the sandbox's own ports; only in the answer to a create */
  accessToken?: string | null;
}

/** Sizes as people write them. */
export interface SandboxViewResourcesView {
  cpu: number;
  memory: string;
  disk: string;
}

/** In milliseconds: waiting for a place, the runtime's part, and the agent's way to the relay. */
export interface SandboxViewTimeline {
  queuedMs: number;
  runtimeMs: number;
  agentMs: number;
}

/** What a session is to be. A field that is not enforced yet is refused rather than ignored. */
export interface SessionRequest {
  command?: string | null;
  args?: Array<string> | null;
  workdir?: string | null;
  env?: Record<string, JsonNode> | null;
  /** in seconds */
  timeout?: number | null;
  /** without it, a sandbox is made that ends with the session */
  sandboxId?: string | null;
  template?: string | null;
  cols?: number | null;
  rows?: number | null;
  record?: boolean | null;
  publicKey?: string | null;
}

/** A session as its clients see it; the protocols are shown to whoever may open its WebSocket now. */
export interface SessionView {
  sessionId: string;
  status: string;
  wsUrl: string;
  protocols?: Array<string> | null;
  userId: string;
  sandboxId: string;
  command: string;
  workdir?: string | null;
  createdAt: string;
  expiresAt: string;
  endedAt?: string | null;
  endReason?: string | null;
  exitCode?: number | null;
}

export interface SystemStatsFigures {
  installation: string;
  host: string;
  sandboxes: Record<string, number>;
  runtime: SystemStatsRuntimeFigures;
  outbox: SystemStatsOutboxFigures;
  server: SystemStatsServerFigures;
}

export interface SystemStatsOutboxFigures {
  unpublished: number;
  lagSeconds: number;
}

export interface SystemStatsRuntimeFigures {
  name: string;
  users: boolean;
  memoryLimit: boolean;
  pidsLimit: boolean;
  cpuLimit: boolean;
  diskLimit: boolean;
  notes: Array<string>;
}

export interface SystemStatsServerFigures {
  uptimeSeconds: number;
  heapBytes: number;
  processors: number;
}

export interface Usage {
  cpu: UsageCpu;
  memory: UsageBytes;
  disk: UsageBytes;
  network: UsageNetwork;
  pids: number;
}

export interface UsageBytes {
  usage: number;
  limit: number;
}

export interface UsageCpu {
  usage: number;
  limit: number;
}

export interface UsageNetwork {
  rxBytes: number;
  txBytes: number;
}

export interface VerifyAuditVerdict {
  intact: boolean;
  firstBroken?: number | null;
}

/** A kept workspace; its id is that of the sandbox it came from. */
export interface WorkspaceView {
  id: string;
  bytes: number;
  keptAt: string;
}

export type Route =
  | 'DELETE /-/terminal/sessions/{sessionId}'
  | 'DELETE /api/v1/keys/{id}'
  | 'DELETE /api/v1/sandboxes/{id}'
  | 'DELETE /api/v1/sandboxes/{id}/pty/{ptyId}'
  | 'DELETE /api/v1/session'
  | 'DELETE /api/v1/workspaces/{id}'
  | 'GET /-/terminal/sessions'
  | 'GET /-/terminal/sessions/{sessionId}'
  | 'GET /-/terminal/sessions/{sessionId}/recording'
  | 'GET /api/v1/audit'
  | 'GET /api/v1/audit/verify'
  | 'GET /api/v1/events'
  | 'GET /api/v1/keys'
  | 'GET /api/v1/projects'
  | 'GET /api/v1/sandboxes'
  | 'GET /api/v1/sandboxes/{id}'
  | 'GET /api/v1/sandboxes/{id}/events'
  | 'GET /api/v1/sandboxes/{id}/logs'
  | 'GET /api/v1/sandboxes/{id}/process'
  | 'GET /api/v1/sandboxes/{id}/process/{commandId}/output'
  | 'GET /api/v1/sandboxes/{id}/pty'
  | 'GET /api/v1/sandboxes/{id}/pty/{ptyId}'
  | 'GET /api/v1/sandboxes/{id}/pty/{ptyId}/recording'
  | 'GET /api/v1/sandboxes/{id}/stats'
  | 'GET /api/v1/session'
  | 'GET /api/v1/stats'
  | 'GET /api/v1/templates'
  | 'GET /api/v1/workspaces'
  | 'PATCH /api/v1/projects/{id}'
  | 'POST /-/terminal/sessions'
  | 'POST /-/terminal/sessions/{sessionId}/ticket'
  | 'POST /api/v1/gc'
  | 'POST /api/v1/keys'
  | 'POST /api/v1/projects'
  | 'POST /api/v1/sandboxes'
  | 'POST /api/v1/sandboxes/batch-delete'
  | 'POST /api/v1/sandboxes/{id}/exec'
  | 'POST /api/v1/sandboxes/{id}/extend'
  | 'POST /api/v1/sandboxes/{id}/process/run'
  | 'POST /api/v1/sandboxes/{id}/process/{commandId}/kill'
  | 'POST /api/v1/sandboxes/{id}/pty'
  | 'POST /api/v1/sandboxes/{id}/pty/{ptyId}/resize'
  | 'POST /api/v1/sandboxes/{id}/pty/{ptyId}/ticket'
  | 'POST /api/v1/sandboxes/{id}/start'
  | 'POST /api/v1/sandboxes/{id}/stop'
  | 'POST /api/v1/session';
