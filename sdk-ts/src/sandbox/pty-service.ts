import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { JSON_PROTOCOL, PROTOCOL } from '../terminal/frames.js';

export interface PTYParams {
  cols: number;
  rows: number;
  /** A login shell when absent. */
  command?: string | readonly string[];
  cwd?: string;
  envs?: Record<string, string>;
  user?: string;
  /** Keeps what it shows, as asciicast. */
  record?: boolean;
  /** Base64: an X25519 key. The terminal is then sealed and this key owns it; `sandbox.terminal({ sealed })` does it all. */
  publicKey?: string;
  /** Puts the one-time ticket into `websocketUrl`, for clients that can ask for no subprotocol: `new WebSocket(pty.websocketUrl)`. */
  ticketInUrl?: boolean;
}

/**
 * A terminal in a sandbox. `new WebSocket(websocketUrl, protocols)` connects a page to it, once; messages are JSON,
 * with their data in base64.
 */
export interface PTYHandle {
  id: string;
  websocketUrl: string;
  protocols: string[];
  sealed?: boolean;
  /** Base64: the key of a sealed terminal's host, as the server says. */
  hostKey?: string;
  hostKeyFingerprint?: string;
}

/** A terminal as listings show it. */
export interface PTYInfo {
  id: string;
  sandboxId: string;
  status: string;
  command: string;
  websocketUrl: string;
  createdAt: string;
  expiresAt: string;
  exitCode?: number;
  endReason?: string;
  sealed?: boolean;
  hostKey?: string;
  hostKeyFingerprint?: string;
}

/** Makes and ends terminals; `sandbox.terminal()` also speaks to them. */
export class PTYService {
  constructor(
    private readonly transport: Transport,
    private readonly sandboxId: string,
  ) {}

  async create(params: PTYParams, options: CallOptions = {}): Promise<PTYHandle> {
    const made = await this.make(params, options);
    return { ...made, protocols: made.protocols.map((protocol) => (protocol === PROTOCOL ? JSON_PROTOCOL : protocol)) };
  }

  /** @internal The same, for the binary protocol that `sandbox.terminal()` speaks. */
  make(params: PTYParams, options: CallOptions = {}): Promise<PTYHandle> {
    return this.transport.json('POST', this.path(), { ...options, body: params });
  }

  get(id: string, options: CallOptions = {}): Promise<PTYInfo> {
    return this.transport.json('GET', this.path(id), options);
  }

  /** What a terminal with `record` has shown: asciicast, or for a sealed one what `openRecording` opens. */
  async recording(id: string, options: CallOptions = {}): Promise<Uint8Array> {
    const answer = await this.transport.stream('GET', this.path(id, '/recording'), options, '*/*');
    return new Uint8Array(await answer.arrayBuffer());
  }

  /** @internal */
  place(): { server: string; sandbox: string } {
    return { server: this.transport.settings.apiUrl.replace(/\/+$/, ''), sandbox: this.sandboxId };
  }

  list(options: CallOptions = {}): Listing<PTYInfo> {
    return new Listing((cursor) =>
      this.transport.json<Page<PTYInfo>>('GET', this.path(), { ...options, query: { cursor } }),
    );
  }

  async resize(id: string, cols: number, rows: number, options: CallOptions = {}): Promise<void> {
    await this.transport.json('POST', this.path(id, '/resize'), { ...options, body: { cols, rows }, repeatable: true });
  }

  async kill(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('DELETE', this.path(id), options);
  }

  /** A fresh one-time ticket, for a connection that cannot send headers; with `ticketInUrl` it is in `websocketUrl`. */
  ticket(id: string, options: CallOptions & { ticketInUrl?: boolean } = {}): Promise<{ websocketUrl: string; protocols: string[] }> {
    const { ticketInUrl, ...rest } = options;
    return this.transport.json('POST', this.path(id, '/ticket'), { ...rest, query: { ticketInUrl }, repeatable: true });
  }

  path(id?: string, rest = ''): string {
    const all = `/api/v1/sandboxes/${encodeURIComponent(this.sandboxId)}/pty`;
    return id === undefined ? all : `${all}/${encodeURIComponent(id)}${rest}`;
  }
}
