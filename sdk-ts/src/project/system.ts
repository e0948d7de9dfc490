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
  outbox: { unpublished: number; lagSeconds: number };
  server: { uptimeSeconds: number; heapBytes: number; processors: number };
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

  gc(options: CallOptions = {}): Promise<GCResult> {
    return this.transport.json('POST', '/api/v1/gc', { ...options, repeatable: true });
  }
}
