/** A stopped sandbox can be started again; an expired one is over. */
export type SandboxState = 'starting' | 'running' | 'paused' | 'stopping' | 'stopped' | 'expired' | 'error' | 'deleted';

/** What becomes of a sandbox when its time is over: its files are kept for a while, it is stopped with them, or they go. */
export type OnExpiry = 'keep' | 'stop' | 'delete';

/** What became of an expired sandbox's files; `workspace` is for a create that takes them over, until then. */
export interface ExpiredFiles {
  state: 'kept' | 'removed';
  workspace?: string;
  /** RFC 3339. */
  until?: string;
}

/** Sizes are written as `512m` or `1g`, in powers of 1024. */
export interface Resources {
  /** In cores. */
  cpu: number;
  memory: string;
  disk: string;
}

/** Hosts and presets, such as `@pip`, that a sandbox may reach; 443 where no port is given. */
export interface Egress {
  allow: string[];
  /** Whether approvers who are there are asked about other hosts. */
  ask?: boolean;
}

/** A host that was refused. */
export interface BlockedHost {
  /** With its port. */
  host: string;
  /** As it calls itself. */
  program?: string;
  at: string;
}

/** What a sandbox may reach, and what it was refused last. */
export interface EgressState extends Required<Egress> {
  blocked: BlockedHost[];
}

/** A name that stands for many hosts in an allow-list. */
export interface EgressPreset {
  name: string;
  hosts: string[];
  /** `tool`: the package sources of a tool of the server's machine; `public`: every public address. */
  from: 'tool' | 'operator' | 'public';
}

/** Where the time of a start went, in milliseconds. */
export interface Timeline {
  queuedMs: number;
  runtimeMs: number;
  agentMs: number;
  /** Whether the sandbox ran before it was asked for. */
  warm: boolean;
}

/** Where a workspace can be mounted by NFS. */
export interface NfsMount {
  host: string;
  port: number;
  path: string;
  /** Runs as it is, as root, with `/mnt` as the place. */
  mountCommand: string;
}

/** A sandbox as the server shows it. */
export interface SandboxInfo {
  id: string;
  name?: string;
  state: SandboxState;
  /** Why it is in error. */
  stateReason?: string;
  /** Who ended it. */
  stopReason?: 'user' | 'expired';
  template: string;
  /** RFC 3339. */
  createdAt: string;
  expiresAt: string;
  updatedAt: string;
  resources: Resources;
  labels: Record<string, string>;
  /** The kept workspace that it took over. */
  workspace?: string;
  /** The hosts that it may reach, each with its port; nothing else. */
  egress: Egress;
  /** Use of it moves its end ahead, until then at most. */
  keepAlive?: { onTraffic: boolean; until: string };
  onExpiry: OnExpiry;
  /** Whether use of it resumes it when it is paused. */
  autoResume: boolean;
  /** Only of an expired one. */
  expiredFiles?: ExpiredFiles;
  /** Where the template's ports can be reached on the server's machine, while it runs. */
  ports?: Array<{ port: number; address: string }>;
  /** Where its workspace can be mounted, while it runs and the server exports it. */
  nfs?: NfsMount;
  /** Only in the answer to a create. */
  timeline?: Timeline;
  /** Opens the sandbox's own ports; only in the answer to a create. */
  accessToken?: string;
}

/** What a create may ask for; whatever is absent is the template's. */
export interface CreateParams {
  /** `default` when absent. */
  template?: string;
  /** To recognise it by; where only one has it, the name stands for the id everywhere. */
  name?: string;
  /** How long it lives, in seconds: 1 to 86400. */
  timeoutSeconds?: number;
  /** The same as timeoutSeconds. */
  timeout_seconds?: number;
  /** Moves its end ahead while its ports, commands or terminals are used, as far as its template allows. */
  keepAlive?: { onTraffic?: boolean };
  /** `keep` when absent. */
  onExpiry?: OnExpiry;
  /** Has commands, terminals, files and ports resume it when it is paused; refused otherwise. */
  autoResume?: boolean;
  envs?: Record<string, string>;
  resources?: Partial<Resources>;
  labels?: Record<string, string>;
  /** The hosts that it may reach: `example.org`, `*.example.org:8443`. */
  egress?: Egress;
  /** The id of a kept workspace to take over. */
  workspace?: string;
}

export interface ListParams {
  state?: Exclude<SandboxState, 'deleted'>;
  template?: string;
  /** All of them must fit. */
  labels?: Record<string, string>;
  /** The size of a page: 1 to 500. */
  limit?: number;
  cursor?: string;
}

export interface DeleteParams {
  /** Keeps /workspace, to be taken over by a later create. */
  keepWorkspace?: boolean;
}

export interface BatchDeleteResult {
  succeeded: string[];
  failed: Array<{ id: string; error: { code: number; name: string; message: string } }>;
}

export interface LogParams {
  /** How many lines from the end: 1 to 10000. */
  tail?: number;
  since?: string;
  until?: string;
}

export interface LogLine {
  time: string;
  stream: string;
  text: string;
}

export interface SandboxStats {
  /** In cores. */
  cpu: { usage: number; limit: number };
  /** In bytes. */
  memory: { usage: number; limit: number };
  /** In bytes. */
  disk: { usage: number; limit: number };
  network: { rxBytes: number; txBytes: number };
  pids: number;
}
