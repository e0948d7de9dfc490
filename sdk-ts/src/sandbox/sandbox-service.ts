import { Listing, type Page } from '../http/listing.js';
import type { Call, CallOptions, Transport } from '../http/transport.js';
import type { BivouacEvent } from '../generated/events.js';
import { Sandbox } from './sandbox.js';
import type {
  BatchDeleteResult,
  CreateParams,
  DeleteParams,
  ListParams,
  LogLine,
  LogParams,
  SandboxInfo,
  SandboxStats,
  Egress,
  EgressPreset,
  EgressState,
} from './types.js';

const SANDBOXES = '/api/v1/sandboxes';

const DEFAULT_TEMPLATE = 'default';

/** From the server's longest wait for a start, and a little. */
const START_TIMEOUT = 75_000;

export interface CreateOptions extends CallOptions {
  /** Makes a repeated create give the same sandbox; one is made for each call when absent. */
  idempotencyKey?: string;
  /** False: return at once, with the sandbox still starting. */
  wait?: boolean;
}

/** Makes and manages sandboxes. */
export class SandboxService {
  constructor(private readonly transport: Transport) {}

  /** Makes a sandbox, and waits until it runs. */
  async create(params: CreateParams = {}, options: CreateOptions = {}): Promise<Sandbox> {
    const headers: Record<string, string> = { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() };
    if (options.wait === false) headers.Prefer = 'respond-async';
    const call: Call = { ...options, timeout: options.timeout ?? START_TIMEOUT, body: { template: DEFAULT_TEMPLATE, ...params }, headers, repeatable: true };
    return this.wrap(await this.transport.json<SandboxInfo>('POST', SANDBOXES, call));
  }

  async get(id: string, options: CallOptions = {}): Promise<Sandbox> {
    return this.wrap(await this.transport.json<SandboxInfo>('GET', path(id), options));
  }

  /**
   * A sandbox that is there: by its id, its name, or the beginning of its id. When several fit, the error's
   * `details.candidates` has their ids.
   */
  connect(nameOrId: string, options: CallOptions = {}): Promise<Sandbox> {
    return this.get(nameOrId, options);
  }

  /** A sandbox known by its id alone, without asking the server: its other fields are empty until `refresh`. */
  reference(id: string): Sandbox {
    return this.wrap({ id } as SandboxInfo);
  }

  /** The newest first. */
  list(params: ListParams = {}, options: CallOptions = {}): Listing<Sandbox> {
    const { labels, cursor, ...rest } = params;
    const label = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
    return new Listing(async (next) => {
      const query = { ...rest, label, cursor: next };
      const page = await this.transport.json<Page<SandboxInfo>>('GET', SANDBOXES, { ...options, query });
      return { items: page.items.map((info) => this.wrap(info)), nextCursor: page.nextCursor };
    }, cursor);
  }

  /** Returns when it is gone. */
  async delete(id: string, params: DeleteParams = {}, options: CallOptions = {}): Promise<void> {
    await this.transport.json('DELETE', path(id), { ...options, query: { ...params } });
  }

  /** At most 50 at once; says how each went. */
  batchDelete(ids: string[], params: DeleteParams = {}, options: CallOptions = {}): Promise<BatchDeleteResult> {
    const body = { ids, ...params };
    return this.transport.json('POST', `${SANDBOXES}/batch-delete`, { ...options, body, repeatable: true });
  }

  /** Gives it 1 to 3600 seconds more, from its present end. */
  async extend(id: string, seconds: number, options: CallOptions = {}): Promise<Sandbox> {
    const call = { ...options, body: { seconds } };
    return this.wrap(await this.transport.json<SandboxInfo>('POST', path(id, '/extend'), call));
  }

  /** Replaces the hosts that it may reach. Connections that are no longer allowed are cut. */
  async setEgress(id: string, egress: string[] | Egress, options: CallOptions = {}): Promise<Sandbox> {
    const call = { ...options, body: Array.isArray(egress) ? { allow: egress } : egress };
    return this.wrap(await this.transport.json<SandboxInfo>('PUT', path(id, '/egress'), call));
  }

  /** What it may reach, and the hosts that it was refused last. */
  egress(id: string, options: CallOptions = {}): Promise<EgressState> {
    return this.transport.json('GET', path(id, '/egress'), options);
  }

  /** The names that stand for many hosts. */
  async egressPresets(options: CallOptions = {}): Promise<EgressPreset[]> {
    return (await this.transport.json<Page<EgressPreset>>('GET', '/api/v1/egress/presets', options)).items;
  }

  /** Files stay. */
  async stop(id: string, options: CallOptions = {}): Promise<Sandbox> {
    const call = { ...options, repeatable: true };
    return this.wrap(await this.transport.json<SandboxInfo>('POST', path(id, '/stop'), call));
  }

  async start(id: string, options: CallOptions = {}): Promise<Sandbox> {
    const call = { ...options, timeout: options.timeout ?? START_TIMEOUT, repeatable: true };
    return this.wrap(await this.transport.json<SandboxInfo>('POST', path(id, '/start'), call));
  }

  /** Freezes its processes where they are; it keeps its memory, and its time goes on. */
  async pause(id: string, options: CallOptions = {}): Promise<Sandbox> {
    const call = { ...options, repeatable: true };
    return this.wrap(await this.transport.json<SandboxInfo>('POST', path(id, '/pause'), call));
  }

  async resume(id: string, options: CallOptions = {}): Promise<Sandbox> {
    const call = { ...options, repeatable: true };
    return this.wrap(await this.transport.json<SandboxInfo>('POST', path(id, '/resume'), call));
  }

  logs(id: string, params: LogParams = {}, options: CallOptions = {}): Promise<{ lines: LogLine[] }> {
    return this.transport.json('GET', path(id, '/logs'), { ...options, query: { ...params } });
  }

  stats(id: string, options: CallOptions = {}): Promise<SandboxStats> {
    return this.transport.json('GET', path(id, '/stats'), options);
  }

  /** Its history, the oldest event first; also of a deleted one. */
  history(id: string, params: { limit?: number; cursor?: string } = {}, options: CallOptions = {}): Listing<BivouacEvent> {
    return new Listing((cursor) => {
      const query = { limit: params.limit, cursor };
      return this.transport.json<Page<BivouacEvent>>('GET', path(id, '/events'), { ...options, query });
    }, params.cursor);
  }

  private wrap(info: SandboxInfo): Sandbox {
    return new Sandbox(this.transport, this, info);
  }
}

function path(id: string, rest = ''): string {
  return `${SANDBOXES}/${encodeURIComponent(id)}${rest}`;
}
