import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';

export type Role = 'admin' | 'developer' | 'viewer';

export interface Key {
  id: string;
  name: string;
  /** The beginning of its text, to recognise it by. */
  prefix: string;
  role: Role;
  system: boolean;
  createdAt: string;
  lastUsedAt?: string;
  revokedAt?: string;
  /** The text itself; only in the answer to a create. */
  key?: string;
}

export interface KeyParams {
  name: string;
  role?: Role;
  system?: boolean;
}

/** The project's keys; needs the role admin. */
export class KeyService {
  constructor(private readonly transport: Transport) {}

  create(params: KeyParams, options: CallOptions = {}): Promise<Key> {
    return this.transport.json('POST', '/api/v1/keys', { ...options, body: params });
  }

  list(options: CallOptions = {}): Listing<Key> {
    return new Listing((cursor) => this.transport.json<Page<Key>>('GET', '/api/v1/keys', { ...options, query: { cursor } }));
  }

  async revoke(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('DELETE', `/api/v1/keys/${encodeURIComponent(id)}`, options);
  }
}
