// Made by scripts/generate.mjs; do not edit.

/** One try. */
export interface Attempt {
  at: string;
  durationMs: number;
  /** of the answer; null when there was none */
  status?: number | null;
  /** why there was none */
  error?: string | null;
  /** the beginning of the answer's body, up to 16 kB; control characters are replaced. Listings leave it out */
  response?: string | null;
}

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

/** What changes. */
export interface ChangeFileRequest {
  path: string | null;
  /** octal, such as 0755 */
  mode?: string | null;
  /** the new owner, a name or uid\[:gid\]; mostly only root may do that */
  user?: string | null;
}

export interface ChangeProjectProjectChange {
  sandboxLimit?: number | null;
  limits?: LimitsRequest | null;
}

/** A whole run of code; CodeJson writes it. */
export interface CodeRunView {
  executionId: string;
  sessionId: string;
  stdout: string;
  stderr: string;
  results: Array<CodeRunViewResult>;
  error?: CodeRunViewRaised | null;
  ok: boolean;
  /** of its session */
  executionCount: number;
  durationMs: number;
  /** whether the variables are still there: kept or lost */
  session?: 'kept' | 'lost';
  timedOut: boolean;
  /** whether there was more output than is collected */
  truncated: boolean;
}

export interface CodeRunViewRaised {
  name: string;
  value: string;
  traceback: string;
}

/** A value by media type, and a chart's data. */
export interface CodeRunViewResult {
  id: string;
  main: boolean;
  mimeBundle?: JsonNode & Record<string, unknown>;
  chart?: JsonNode & Record<string, unknown> | null;
}

/** An interpreter that keeps its variables. */
export interface CodeSessionView {
  id: string;
  language: string;
  cwd: string;
  /** dead when its interpreter has died; the next run has a fresh one */
  state?: 'starting' | 'idle' | 'busy' | 'dead';
  executionCount: number;
  createdAt: string;
  usedAt: string;
}

export interface CollectGarbageCollected {
  expired: number;
  orphansRemoved: number;
  rowsFailed: number;
  workFinished: number;
  rowsForgotten: number;
}

/** a line for the sandbox's shell, or the words of an argv */
export type Command = string | Words;

/** Who is logged in, as the console shows it. */
export interface ConsoleSession {
  project: string;
  role: string;
  system: boolean;
  expiresAt: string;
}

export interface CreateCodeSessionRequest {
  language: 'python' | 'java' | 'javascript' | 'typescript' | 'go' | 'bash' | null;
  /** /workspace when it is missing */
  cwd?: string | null;
}

/** Without a role the key is a developer's. */
export interface CreateKeyKeyRequest {
  name: string | null;
  role?: 'admin' | 'developer' | 'viewer' | null;
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
  name: string | null;
  sandboxLimit?: number | null;
  limits?: LimitsRequest | null;
}

/** The sandbox's shell in 80 columns and 24 rows, unless it says otherwise. */
export interface CreatePtyRequest {
  cols?: number | null;
  rows?: number | null;
  command?: JsonNode & Command | null;
  cwd?: string | null;
  envs?: Record<string, string> | null;
  user?: string | null;
  record?: boolean | null;
  sealed?: boolean | null;
  publicKey?: string | null;
  ticketInUrl?: boolean | null;
}

/** What a create may ask for, as it came from outside. */
export interface CreateRequest {
  template: string | null;
  name?: string | null;
  timeoutSeconds?: number | null;
  envs?: Record<string, string> | null;
  resources?: CreateRequestResourcesRequest | null;
  labels?: Record<string, string> | null;
  egress?: EgressRequest | null;
  workspace?: string | null;
  keepAlive?: CreateRequestKeepAliveRequest | null;
  onExpiry?: 'keep' | 'stop' | 'delete' | null;
  autoResume?: boolean | null;
}

export interface CreateRequestKeepAliveRequest {
  /** whether traffic to its ports, commands and terminals move its end ahead */
  onTraffic?: boolean | null;
}

/** Each absent part is the template's. */
export interface CreateRequestResourcesRequest {
  cpu?: number | null;
  memory?: string | null;
  disk?: string | null;
}

/** A delivery as its project sees it. */
export interface DeliveryView {
  id: string;
  endpointId: string;
  /** also the `webhook-id` of every attempt */
  eventId: string;
  type: string;
  subject: string;
  /** `waiting`, `delivered`, `dead` or `cancelled` */
  state: string;
  /** the last ones, the oldest first */
  attempts: Array<Attempt>;
  nextAttemptAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** One thing that was looked at. */
export interface DoctorCheckView {
  name: string;
  ok: boolean;
  seen: string;
  /** what does not work because of it, if something is wrong */
  costs?: string | null;
  /** what mends it, if something is wrong */
  remedy?: string | null;
}

export interface DoctorCheckup {
  checks: Array<DoctorCheckView>;
}

/** Hosts that a sandbox may reach: `example.org`, `*.example.org:8443`; 443 where no port is given; and presets: `@pip`. */
export interface EgressRequest {
  allow?: Array<string> | null;
  /** whether approvers who are there are asked about other hosts; they are when it is absent */
  ask?: boolean | null;
}

/** What a caller wants of an endpoint, new or changed; what is left out stays as it is, or as it is by default. */
export interface EndpointRequest {
  url?: string | null;
  /** such as `sandbox.*`; all by default */
  types?: Array<string> | null;
  description?: string | null;
  enabled?: boolean | null;
  /** `long` (over three days) or `short` (1, 2 and 4 seconds) */
  retry?: 'long' | 'short' | null;
  /** one at a time, in order */
  fifo?: boolean | null;
  /** deliveries a second; 0 for none */
  rateLimit?: number | null;
  concurrency?: number | null;
  /** `v1`, or `v1a` for Ed25519 signatures beside those of `v1` */
  signing?: 'v1' | 'v1a' | null;
}

/** An endpoint as its project sees it. */
export interface EndpointView {
  id: string;
  /** whole for developers; its origin and a hash for viewers */
  url: string;
  description?: string | null;
  types: Array<string>;
  enabled: boolean;
  disabledReason?: string | null;
  disabledAt?: string | null;
  /** the first failure since the last success */
  failingSince?: string | null;
  retry: string;
  fifo: boolean;
  rateLimit?: number | null;
  concurrency: number;
  signing: string;
  /** what `v1a` signatures are verified with */
  publicKey?: string | null;
  /** shown only when it has just been made */
  secret?: string | null;
  /** until when the replaced secret signs as well */
  previousSecretUntil?: string | null;
  createdAt: string;
  updatedAt: string;
}

/** an event in its envelope; event-schemas describes the data of each type */
export interface Event {
  id: string;
  type: string;
  timestamp: string;
  project: string;
  subject: string;
  sequence: number;
  data: Record<string, unknown>;
}

export interface EventListing {
  items: Array<Event>;
  nextCursor: string | null;
}

export interface ExecCommandRequest {
  command: JsonNode & Words | null;
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
  seconds: number | null;
}

/** A file, folder or link as a client sees it. */
export interface FileView {
  path: string;
  name: string;
  type?: 'file' | 'folder' | 'link' | 'other';
  size: number;
  /** octal, such as 0644 */
  mode: string;
  user: string;
  group: string;
  modifiedAt: string;
  /** what a link says */
  target?: string | null;
  /** for If-Match and If-None-Match */
  etag: string;
}

export type JsonNode = Command;

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

/** Limits that a project is to have; absent ones stay. Zero CPU, memory or disk is no limit. */
export interface LimitsRequest {
  sandboxes?: number | null;
  terminals?: number | null;
  eventStreams?: number | null;
  cpu?: number | null;
  /** such as `64g` */
  memory?: string | null;
  disk?: string | null;
}

/** What a project may have; null where there is no limit. */
export interface LimitsView {
  sandboxes: number;
  terminals: number;
  eventStreams: number;
  /** cores of all its sandboxes that are not stopped */
  cpu: number | null;
  /** of the same */
  memory: string | null;
  /** of all its sandboxes */
  disk: string | null;
}

export interface ListAuditAuditView {
  sequence: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
  detail?: string | null;
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

export interface ListFilesFiles {
  items: Array<FileView>;
  nextCursor: string | null;
}

export interface ListPresetsPresetView {
  /** as it stands in an allow-list */
  name: string;
  /** what it stands for at this server now; none for @code */
  hosts: Array<string>;
  /** `tool` for the package sources of a tool of the server's machine, `operator`, or `public` for every public address */
  from: string;
}

export interface ListTemplatesBuilt {
  hash: string;
  /** of its tree, which all its sandboxes share */
  sizeBytes: number;
  builtAt: string;
}

export interface ListTemplatesTemplateView {
  name: string;
  description: string;
  /** whether the runtime here has its root, so that a sandbox can be made from it */
  available: boolean;
  /** what it promises and this root does not have, a sentence each */
  notes: Array<string>;
  built: ListTemplatesBuilt | null;
  cpu: number;
  memory: string;
  disk: string;
  ports: Array<number>;
  /** the hosts that its sandboxes may reach, unless a create says otherwise */
  egress: Array<string>;
  commands: Array<string>;
}

export interface ListingCodeSessionView {
  items: Array<CodeSessionView>;
  nextCursor: string | null;
}

export interface ListingDeliveryView {
  items: Array<DeliveryView>;
  nextCursor: string | null;
}

export interface ListingEndpointView {
  items: Array<EndpointView>;
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

export interface ListingListCommandsCommand {
  items: Array<ListCommandsCommand>;
  nextCursor: string | null;
}

export interface ListingListPresetsPresetView {
  items: Array<ListPresetsPresetView>;
  nextCursor: string | null;
}

export interface ListingListTemplatesTemplateView {
  items: Array<ListTemplatesTemplateView>;
  nextCursor: string | null;
}

export interface ListingPermissionView {
  items: Array<PermissionView>;
  nextCursor: string | null;
}

export interface ListingProject {
  items: Array<Project>;
  nextCursor: string | null;
}

export interface ListingPtyView {
  items: Array<PtyView>;
  nextCursor: string | null;
}

export interface ListingRecordedTerminal {
  items: Array<RecordedTerminal>;
  nextCursor: string | null;
}

export interface ListingSandboxView {
  items: Array<SandboxView>;
  nextCursor: string | null;
}

export interface ListingSessionView {
  items: Array<SessionView>;
  nextCursor: string | null;
}

export interface ListingTerminalView {
  items: Array<TerminalView>;
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

/** Where. */
export interface MakeFolderRequest {
  path: string | null;
  /** octal, such as 0755 */
  mode?: string | null;
  /** makes the folders above it too, and is content with one that is there */
  parents?: boolean | null;
}

export interface MakeLinkLink {
  url: string;
  method: string;
  expiresAt: string;
}

/** Which path, to read it (GET, unless it says otherwise) or to write it (PUT), and for how long. */
export interface MakeLinkRequest {
  path: string | null;
  method?: 'GET' | 'PUT' | null;
  expiresInSeconds?: number | null;
}

/** An approver's answer. */
export interface ManagePermissionsPermissionAnswer {
  /** taken as it is written: what is only like a truth value is no answer */
  granted: boolean | null;
  /** a yes covers the same question until then; absent for this once */
  expiresAt?: string | null;
  reason?: string | null;
  /** how far a yes to the network reaches; absent for this once */
  scope?: 'once' | 'sandbox' | 'template' | null;
}

export interface ManagePortsAccessTokenView {
  accessToken: string;
}

export interface ManagePortsLinkRequest {
  /** how long the link is good; an hour when absent */
  expiresInSeconds?: number | null;
}

export interface ManagePortsLinkView {
  /** for a browser; whoever has it may use the port until then */
  url: string;
  expiresAt: string;
}

/** A port on which a program listens. */
export interface ManagePortsPortView {
  port: number;
  /** the name of the program; absent when that cannot be told */
  program?: string | null;
  /** where the gateway has it, for callers that send a key or the sandbox's access token */
  url: string;
}

export interface ManagePortsPorts {
  items: Array<ManagePortsPortView>;
  nextCursor: string | null;
}

export interface ManagePtyResized {
  id: string;
  cols: number;
  rows: number;
}

export interface ManagePtySize {
  cols: number | null;
  rows: number | null;
}

export interface ManagePtyWay {
  websocketUrl: string;
  protocols: Array<string>;
}

export interface ManageSessionWay {
  wsUrl: string;
  protocols: Array<string>;
}

/** Nothing is replaced unless `overwrite` says so. */
export interface MoveFileRequest {
  from: string | null;
  to: string | null;
  overwrite?: boolean | null;
}

/** an endpoint to be made */
export type NewEndpoint = EndpointRequest & Record<string, unknown>;

/** A question for permission as clients see it. */
export interface PermissionView {
  id: string;
  state: string;
  sandboxId: string;
  /** the terminal that asks */
  sessionId?: string | null;
  source: string;
  action: string;
  resource: string;
  description: string;
  cwd: string;
  /** the beginning of the tool's input, which has `inputBytes` in all */
  input: string;
  inputBytes: number;
  /** how many have to say yes */
  quorum: number;
  createdAt: string;
  expiresAt: string;
  decidedAt?: string | null;
  decidedBy?: string | null;
  reason?: string | null;
  /** until then the same question needs no answer */
  grantedUntil?: string | null;
  /** how far a yes may reach; only for questions about the network */
  scopes?: Array<string> | null;
  /** how far it reaches */
  scope?: string | null;
}

export interface Project {
  id: string;
  name: string;
  sandboxLimit: number;
  createdAt: string;
}

/** A project, what it may have and what it has. */
export interface ProjectView {
  id: string;
  name: string;
  sandboxLimit: number;
  createdAt: string;
  limits: LimitsView;
  usage: UsageView;
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
  sealed: boolean;
  hostKey?: string | null;
  hostKeyFingerprint?: string | null;
}

/** A terminal whose output was kept, as listings show it. */
export interface RecordedTerminal {
  terminalId: string;
  sandboxId: string;
  command: string;
  cols: number;
  rows: number;
  startedAt: string;
  endedAt?: string | null;
  exitCode?: number | null;
  /** in bytes, as far as it is stored */
  size: number;
  /** nothing more will be added */
  complete: boolean;
}

/** How many deliveries will be sent again. */
export interface ReplayEndpointReplayed {
  replayed: number;
}

/** A span of events' times. */
export interface ReplayEndpointSpan {
  since: string | null;
  /** now, when it is left out */
  until?: string | null;
  /** `dead`: only deliveries that were given up */
  state?: 'dead' | null;
}

/** Code as it came from outside; CodeToRun checks it. */
export interface RunCodeRequest {
  /** may be missing where there is a session */
  language?: 'python' | 'java' | 'javascript' | 'typescript' | 'go' | 'bash' | null;
  code: string | null;
  /** the language's default session when it is missing */
  sessionId?: string | null;
  /** in seconds; 600 when it is missing */
  timeout?: number | null;
  /** variables of this run alone */
  envs?: Record<string, string> | null;
  /** events as they come, unless it is false */
  stream?: boolean | null;
}

/** What to run, as it came from outside; Program and CommandOrder check it. */
export interface RunRequest {
  command: JsonNode & Command | null;
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

/** A command's result as a client sees it; ResultJson writes it. */
export interface RunView {
  commandId: string;
  exitCode: number;
  stdout: string;
  stderr: string;
  /** the exact bytes, when they are not UTF-8 */
  stdoutBase64?: string | null;
  /** the exact bytes, when they are not UTF-8 */
  stderrBase64?: string | null;
  truncated: boolean;
  durationMs: number;
}

/** What is said of a command that goes on by itself. */
export interface RunViewBackground {
  commandId: string;
  background: boolean;
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
  /** the id, where the maker gave none */
  name: string;
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
  egress: SandboxViewEgressView;
  keepAlive?: SandboxViewKeepAliveView | null;
  /** what becomes of it when its time is over: `keep`, `stop` or `delete` */
  onExpiry: string;
  /** whether use of it resumes it when it is paused */
  autoResume: boolean;
  expiredFiles?: SandboxViewFilesView | null;
  /** where the template's ports can be reached; only while it runs, and null where it declares none */
  ports?: Array<SandboxViewPortView> | null;
  nfs?: SandboxViewNfsView | null;
  timeline?: SandboxViewTimeline | null;
  /** the sandbox's own token, for its maker; only in the answer to a create. It opens the sandbox's ports */
  accessToken?: string | null;
}

export interface SandboxViewEgressView {
  allow: Array<string>;
  /** whether approvers who are there are asked about other hosts */
  ask: boolean;
}

/** What became of an expired sandbox's files. */
export interface SandboxViewFilesView {
  /** `kept` or `removed` */
  state: string;
  /** the id of the kept workspace, which a create may take over */
  workspace?: string | null;
  /** when it is removed */
  until?: string | null;
}

export interface SandboxViewKeepAliveView {
  onTraffic: boolean;
  /** the latest end that use gives it */
  until: string;
}

/** Where a workspace can be mounted; the command runs as it is, as root, with `/mnt` as the place. */
export interface SandboxViewNfsView {
  host: string;
  port: number;
  path: string;
  mountCommand: string;
}

/** A port inside, and where the host reaches it: `127.0.0.2:port`. */
export interface SandboxViewPortView {
  port: number;
  address: string;
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
  /** whether the sandbox ran before it was asked for */
  warm: boolean;
}

/** What a Pod's ACL grants a session. */
export interface SessionPermissions {
  /** the containers that it is confined to; null for none */
  workdirs?: Array<string> | null;
  /** the documents that its secrets are from */
  secrets: Array<string>;
  /** in seconds; null where the ACL sets no bound */
  maxDuration?: number | null;
}

/** What a session is to be. A field that is not enforced yet is refused rather than ignored. */
export interface SessionRequest {
  command?: string | null;
  args?: Array<string> | null;
  workdir?: string | null;
  env?: SessionVariables;
  /** in seconds */
  timeout?: number | null;
  /** without it, a sandbox is made that ends with the session */
  sandboxId?: string | null;
  template?: string | null;
  cols?: number | null;
  rows?: number | null;
  record?: boolean | null;
  /** the key of whom a sealed session belongs to */
  publicKey?: string | null;
  sealed?: boolean | null;
  /** the address of the Pod whose ACL lets a guest in; the only one that this relay serves, if not said */
  pod?: string | null;
}

/** variables of a session's program; an object names a secret of the Pod */
export type SessionVariables = Record<string, string | {
  '@ref': string;
  jsonPath: string;
}>;

/** A session as its clients see it; the protocols are shown to whoever may open its WebSocket now. */
export interface SessionView {
  sessionId: string;
  status: string;
  wsUrl: string;
  protocols?: Array<string> | null;
  userId: string;
  /** of the program while it runs, as its sandbox numbers processes */
  ptyPid?: number | null;
  sandboxId: string;
  command: string;
  workdir?: string | null;
  createdAt: string;
  expiresAt: string;
  endedAt?: string | null;
  endReason?: string | null;
  exitCode?: number | null;
  sealed: boolean;
  hostKey?: string | null;
  hostKeyFingerprint?: string | null;
  /** where the sandbox has the Pod's files; said to whom the Pod let in, when the session starts */
  podFolder?: string | null;
  /** why it does not have them */
  podAbsent?: string | null;
  permissions?: SessionPermissions | null;
}

export interface ShowEgressBlockedView {
  host: string;
  /** as it calls itself */
  program?: string | null;
  at: string;
}

export interface ShowEgressEgressState {
  allow: Array<string>;
  /** whether approvers who are there are asked about other hosts */
  ask: boolean;
  /** hosts that were refused and are still closed, the latest first; at most 20 */
  blocked: Array<ShowEgressBlockedView>;
}

/** Of the file system that sandboxes are on; zeros where the runtime does not look after it. */
export interface SystemStatsDiskFigures {
  totalBytes: number;
  freeBytes: number;
  reservedBytes: number;
  reserveReached: boolean;
}

export interface SystemStatsFigures {
  installation: string;
  host: string;
  sandboxes: Record<string, number>;
  runtime: SystemStatsRuntimeFigures;
  outbox: SystemStatsOutboxFigures;
  disk: SystemStatsDiskFigures;
  warm: Array<SystemStatsWarmPoolFigures>;
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

/** Sandboxes of a template that were started ahead, and the creates that took one or did not. */
export interface SystemStatsWarmPoolFigures {
  template: string;
  ready: number;
  wanted: number;
  warmCreates: number;
  coldCreates: number;
}

export interface TemplateEgressOpenedHosts {
  allow: Array<string>;
}

export interface TemplateEgressOpenedHostsRequest {
  allow?: Array<string> | null;
}

/** An open terminal as the list of all shows it. */
export interface TerminalView {
  id: string;
  sandboxId: string;
  command: string;
  /** who opened it */
  owner: string;
  status: string;
  /** how wide it was when it was opened */
  cols: number;
  rows: number;
  recorded: boolean;
  sealed: boolean;
  /** who is attached at the server that answers */
  attached: Array<TerminalViewWatcher>;
  createdAt: string;
  /** when something was last typed or shown, within some seconds */
  activeAt: string;
  expiresAt: string;
}

export interface TerminalViewWatcher {
  who: string;
  /** driver, who types, or viewer, who looks */
  role: string;
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

/** What a project has now. */
export interface UsageView {
  sandboxes: number;
  terminals: number;
  /** at the process that answers */
  eventStreams: number;
  /** cores of all its sandboxes that are not stopped */
  cpu: number;
  /** of the same */
  memory: string;
  /** of all its sandboxes, as they may fill it */
  disk: string;
}

export interface VerifyAuditVerdict {
  intact: boolean;
  firstBroken?: number | null;
}

/** a program and its arguments, which reach it as they are */
export type Words = Array<string>;

/** A kept workspace; its id is that of the sandbox it came from. */
export interface WorkspaceView {
  id: string;
  bytes: number;
  keptAt: string;
}

export interface WriteArchiveUnpacked {
  entries: number;
}

/** How much of an upload in parts has come. */
export interface WriteContentPart {
  received: number;
  total: number;
}

export type Route =
  | 'DELETE /-/terminal/permissions/{permissionId}/grant'
  | 'DELETE /-/terminal/sessions/{sessionId}'
  | 'DELETE /api/v1/keys/{id}'
  | 'DELETE /api/v1/permissions/{permissionId}/grant'
  | 'DELETE /api/v1/sandboxes/{id}'
  | 'DELETE /api/v1/sandboxes/{id}/code/sessions/{session}'
  | 'DELETE /api/v1/sandboxes/{id}/files'
  | 'DELETE /api/v1/sandboxes/{id}/pty/{ptyId}'
  | 'DELETE /api/v1/session'
  | 'DELETE /api/v1/terminals/{terminalId}'
  | 'DELETE /api/v1/webhooks/endpoints/{id}'
  | 'DELETE /api/v1/workspaces/{id}'
  | 'GET /-/terminal/permissions'
  | 'GET /-/terminal/permissions/{permissionId}'
  | 'GET /-/terminal/sessions'
  | 'GET /-/terminal/sessions/{sessionId}'
  | 'GET /-/terminal/sessions/{sessionId}/recording'
  | 'GET /api/v1/audit'
  | 'GET /api/v1/audit/verify'
  | 'GET /api/v1/doctor'
  | 'GET /api/v1/egress/presets'
  | 'GET /api/v1/events'
  | 'GET /api/v1/keys'
  | 'GET /api/v1/permissions'
  | 'GET /api/v1/permissions/{permissionId}'
  | 'GET /api/v1/projects'
  | 'GET /api/v1/projects/{id}'
  | 'GET /api/v1/recordings'
  | 'GET /api/v1/recordings/{terminalId}'
  | 'GET /api/v1/sandboxes'
  | 'GET /api/v1/sandboxes/{id}'
  | 'GET /api/v1/sandboxes/{id}/code/results/{result}'
  | 'GET /api/v1/sandboxes/{id}/code/sessions'
  | 'GET /api/v1/sandboxes/{id}/egress'
  | 'GET /api/v1/sandboxes/{id}/events'
  | 'GET /api/v1/sandboxes/{id}/files'
  | 'GET /api/v1/sandboxes/{id}/files/archive'
  | 'GET /api/v1/sandboxes/{id}/files/content'
  | 'GET /api/v1/sandboxes/{id}/files/stat'
  | 'GET /api/v1/sandboxes/{id}/files/watch'
  | 'GET /api/v1/sandboxes/{id}/logs'
  | 'GET /api/v1/sandboxes/{id}/ports'
  | 'GET /api/v1/sandboxes/{id}/process'
  | 'GET /api/v1/sandboxes/{id}/process/{commandId}/output'
  | 'GET /api/v1/sandboxes/{id}/pty'
  | 'GET /api/v1/sandboxes/{id}/pty/{ptyId}'
  | 'GET /api/v1/sandboxes/{id}/pty/{ptyId}/recording'
  | 'GET /api/v1/sandboxes/{id}/stats'
  | 'GET /api/v1/session'
  | 'GET /api/v1/stats'
  | 'GET /api/v1/templates'
  | 'GET /api/v1/templates/{name}/egress'
  | 'GET /api/v1/terminals'
  | 'GET /api/v1/webhooks/deliveries/{id}'
  | 'GET /api/v1/webhooks/endpoints'
  | 'GET /api/v1/webhooks/endpoints/{id}'
  | 'GET /api/v1/webhooks/endpoints/{id}/deliveries'
  | 'GET /api/v1/workspaces'
  | 'PATCH /api/v1/projects/{id}'
  | 'PATCH /api/v1/sandboxes/{id}/files'
  | 'PATCH /api/v1/webhooks/endpoints/{id}'
  | 'POST /-/terminal/permissions/{permissionId}/answer'
  | 'POST /-/terminal/sessions'
  | 'POST /-/terminal/sessions/{sessionId}/ticket'
  | 'POST /api/v1/gc'
  | 'POST /api/v1/keys'
  | 'POST /api/v1/permissions/{permissionId}/answer'
  | 'POST /api/v1/projects'
  | 'POST /api/v1/sandboxes'
  | 'POST /api/v1/sandboxes/batch-delete'
  | 'POST /api/v1/sandboxes/{id}/access-token'
  | 'POST /api/v1/sandboxes/{id}/code'
  | 'POST /api/v1/sandboxes/{id}/code/sessions'
  | 'POST /api/v1/sandboxes/{id}/code/sessions/{session}/interrupt'
  | 'POST /api/v1/sandboxes/{id}/code/sessions/{session}/restart'
  | 'POST /api/v1/sandboxes/{id}/exec'
  | 'POST /api/v1/sandboxes/{id}/extend'
  | 'POST /api/v1/sandboxes/{id}/files/folders'
  | 'POST /api/v1/sandboxes/{id}/files/links'
  | 'POST /api/v1/sandboxes/{id}/files/move'
  | 'POST /api/v1/sandboxes/{id}/pause'
  | 'POST /api/v1/sandboxes/{id}/ports/{port}/link'
  | 'POST /api/v1/sandboxes/{id}/process/run'
  | 'POST /api/v1/sandboxes/{id}/process/{commandId}/kill'
  | 'POST /api/v1/sandboxes/{id}/pty'
  | 'POST /api/v1/sandboxes/{id}/pty/{ptyId}/resize'
  | 'POST /api/v1/sandboxes/{id}/pty/{ptyId}/ticket'
  | 'POST /api/v1/sandboxes/{id}/resume'
  | 'POST /api/v1/sandboxes/{id}/start'
  | 'POST /api/v1/sandboxes/{id}/stop'
  | 'POST /api/v1/session'
  | 'POST /api/v1/webhooks/deliveries/{id}/replay'
  | 'POST /api/v1/webhooks/endpoints'
  | 'POST /api/v1/webhooks/endpoints/{id}/replay'
  | 'POST /api/v1/webhooks/endpoints/{id}/rotate-secret'
  | 'POST /api/v1/webhooks/endpoints/{id}/test'
  | 'PUT /api/v1/sandboxes/{id}/egress'
  | 'PUT /api/v1/sandboxes/{id}/files/archive'
  | 'PUT /api/v1/sandboxes/{id}/files/content'
  | 'PUT /api/v1/templates/{name}/egress';
