import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';

/** An open terminal of the project. */
export interface TerminalInfo {
  id: string;
  sandboxId: string;
  command: string;
  /** Who opened it. */
  owner: string;
  status: string;
  /** Its size when it was opened. */
  cols: number;
  rows: number;
  recorded: boolean;
  sealed: boolean;
  /** Who is attached at the server that answers; a driver types, a viewer looks. */
  attached: Array<{ who: string; role: string }>;
  createdAt: string;
  /** When something was last typed or shown, within some seconds. */
  activeAt: string;
  expiresAt: string;
}

const TERMINALS = '/api/v1/terminals';

/** The project's open terminals, in all of its sandboxes. */
export class TerminalService {
  constructor(private readonly transport: Transport) {}

  /** The newest first. */
  list(params: { sandboxId?: string; limit?: number } = {}, options: CallOptions = {}): Listing<TerminalInfo> {
    return new Listing((cursor) =>
      this.transport.json<Page<TerminalInfo>>('GET', TERMINALS, { ...options, query: { ...params, cursor } }),
    );
  }

  /** Ends a terminal and what runs in it. */
  async end(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('DELETE', `${TERMINALS}/${encodeURIComponent(id)}`, options);
  }
}
