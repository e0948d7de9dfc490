import type { CallOptions, Transport } from '../http/transport.js';

export interface SystemStats {
  installation: string;
  host: string;
  /** How many sandboxes are in each state. */
  sandboxes: Record<string, number>;
  runtime: {
    name: string;
    users: boolean;
    memoryLimit: boolean;
    pidsLimit: boolean;
    cpuLimit: boolean;
    diskLimit: boolean;
    notes: string[];
  };
  /** Of the file system that sandboxes are on; zeros where the runtime does not look after it. */
  disk: { totalBytes: number; freeBytes: number; reservedBytes: number; reserveReached: boolean };
  outbox: { unpublished: number; lagSeconds: number };
  /** Templates of which sandboxes are started ahead. */
  warm: Array<{ template: string; ready: number; wanted: number; warmCreates: number; coldCreates: number }>;
  server: { uptimeSeconds: number; heapBytes: number; processors: number };
}

/** One thing that was looked at on the server's machine. */
export interface Check {
  name: string;
  ok: boolean;
  /** What was found. */
  seen: string;
  /** What does not work because of it, if something is wrong. */
  costs?: string;
  /** The command or setting that mends it, if something is wrong. */
  remedy?: string;
}

export interface Checkup {
  checks: Check[];
}

export interface GCResult {
  expired: number;
  orphansRemoved: number;
  rowsFailed: number;
  workFinished: number;
  rowsForgotten: number;
}

/** The installation as a whole; needs a system administrator's key. */
export class SystemService {
  constructor(private readonly transport: Transport) {}

  stats(options: CallOptions = {}): Promise<SystemStats> {
    return this.transport.json('GET', '/api/v1/stats', options);
  }

  /** What the server needs of its machine; with any other key only its version and who the caller is. */
  doctor(options: CallOptions = {}): Promise<Checkup> {
    return this.transport.json('GET', '/api/v1/doctor', options);
  }

  gc(options: CallOptions = {}): Promise<GCResult> {
    return this.transport.json('POST', '/api/v1/gc', { ...options, repeatable: true });
  }
}
