import type { Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';

export interface Template {
  name: string;
  description: string;
  /** False when this machine lacks what it promises. */
  available: boolean;
  /** What it promises and this machine has otherwise, a sentence each. */
  notes: string[];
  /** What is known of its tree; null for one that is not built here, or needs no building. */
  built: BuiltTree | null;
  cpu: number;
  memory: string;
  disk: string;
  ports: number[];
  /** The hosts that its sandboxes may reach, unless a create says otherwise. */
  egress: string[];
  commands: string[];
}

/** A tree that was built on the server's machine; all sandboxes of its template share it. */
export interface BuiltTree {
  /** Of what it was made from. */
  hash: string;
  sizeBytes: number;
  builtAt: string;
}

/** What sandboxes can be made from. */
export class TemplateService {
  constructor(private readonly transport: Transport) {}

  async list(options: CallOptions = {}): Promise<Template[]> {
    return (await this.transport.json<Page<Template>>('GET', '/api/v1/templates', options)).items;
  }

  /** The hosts that the project has opened for its new sandboxes of a template, beside the template's own. */
  async openedHosts(name: string, options: CallOptions = {}): Promise<string[]> {
    return (await this.transport.json<{ allow: string[] }>('GET', opened(name), options)).allow;
  }

  async setOpenedHosts(name: string, allow: string[], options: CallOptions = {}): Promise<string[]> {
    return (await this.transport.json<{ allow: string[] }>('PUT', opened(name), { ...options, body: { allow } })).allow;
  }
}

function opened(name: string): string {
  return `/api/v1/templates/${encodeURIComponent(name)}/egress`;
}
