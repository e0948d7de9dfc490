import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';

/** What a deleted sandbox left; it has the id of that sandbox. */
export interface KeptWorkspace {
  id: string;
  bytes: number;
  keptAt: string;
}

/** Kept workspaces, which a later create can take over. */
export class WorkspaceService {
  constructor(private readonly transport: Transport) {}

  list(options: CallOptions = {}): Listing<KeptWorkspace> {
    return new Listing((cursor) =>
      this.transport.json<Page<KeptWorkspace>>('GET', '/api/v1/workspaces', { ...options, query: { cursor } }),
    );
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('DELETE', `/api/v1/workspaces/${encodeURIComponent(id)}`, options);
  }
}
