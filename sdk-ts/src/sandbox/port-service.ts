import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';
import type { SandboxInfo } from './types.js';

/** A port on which a program in the sandbox listens. */
export interface Port {
  port: number;
  /** The name of the program; absent when that cannot be told. */
  program?: string;
  /** Where the gateway has it, for callers that send a key or the sandbox's access token. */
  url: string;
}

/** A link by which a browser reaches a port. Whoever has it may use the port until then. */
export interface PortLink {
  url: string;
  expiresAt: string;
}

/** The ports of a sandbox. */
export class PortService {
  constructor(
    private readonly transport: Transport,
    private readonly sandboxId: string,
    /** Where the template's own ports can be reached on the server's machine, while the sandbox runs. */
    public published?: SandboxInfo['ports'],
  ) {}

  /** The ports on which programs listen right now. */
  list(options: CallOptions = {}): Listing<Port> {
    return new Listing((cursor) => this.transport.json<Page<Port>>('GET', this.path('/ports'), { ...options, query: { cursor } }));
  }

  /** Where a program's own client finds a port, and the headers that let it in. */
  access(port: number): { url: string; headers: Record<string, string> } {
    const { href: url } = this.transport.url(`/sandbox/${encodeURIComponent(this.sandboxId)}/port/${port}/`);
    return { url, headers: this.transport.authorization() };
  }

  /** A link for a browser, good for an hour unless said otherwise, and for seven days at most. */
  link(port: number, params: { expiresInSeconds?: number } = {}, options: CallOptions = {}): Promise<PortLink> {
    return this.transport.json('POST', this.path(`/ports/${port}/link`), { ...options, body: params, repeatable: true });
  }

  /** A new access token. The one before and all links made with it open nothing any more. */
  async renewAccessToken(options: CallOptions = {}): Promise<string> {
    const { accessToken } = await this.transport.json<{ accessToken: string }>('POST', this.path('/access-token'), options);
    return accessToken;
  }

  private path(rest: string): string {
    return `/api/v1/sandboxes/${encodeURIComponent(this.sandboxId)}${rest}`;
  }
}
