import type { CallOptions, Transport } from '../http/transport.js';

/** What a project may have; `null` where there is no limit. */
export interface ProjectLimits {
  sandboxes: number;
  terminals: number;
  eventStreams: number;
  /** Cores of all its sandboxes that are not stopped. */
  cpu: number | null;
  /** Memory of the same. */
  memory: string | null;
  /** Disks of all its sandboxes. */
  disk: string | null;
}

/** What a project has now. */
export interface ProjectUsage {
  sandboxes: number;
  terminals: number;
  /** At the server that answers. */
  eventStreams: number;
  cpu: number;
  memory: string;
  disk: string;
}

export interface Project {
  id: string;
  name: string;
  sandboxLimit: number;
  createdAt: string;
  limits: ProjectLimits;
  usage: ProjectUsage;
}

/** Limits that are to change; absent ones stay. Zero CPU, memory or disk is no limit. */
export interface ProjectLimitParams {
  sandboxes?: number;
  terminals?: number;
  eventStreams?: number;
  cpu?: number;
  memory?: string;
  disk?: string;
}

/** Projects, their limits and what they use of them. */
export class ProjectService {
  constructor(private readonly transport: Transport) {}

  /** The caller's own; another one's only with a system administrator's key. */
  get(id = 'current', options: CallOptions = {}): Promise<Project> {
    return this.transport.json('GET', `/api/v1/projects/${encodeURIComponent(id)}`, options);
  }

  /** Needs a system administrator's key. */
  setLimits(id: string, limits: ProjectLimitParams, options: CallOptions = {}): Promise<Project> {
    return this.transport.json('PATCH', `/api/v1/projects/${encodeURIComponent(id)}`, { ...options, body: { limits } });
  }
}
