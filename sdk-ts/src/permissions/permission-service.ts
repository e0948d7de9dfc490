import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';

export type PermissionState = 'open' | 'granted' | 'denied';

/** How far a yes to the network reaches: the connections that wait, the sandbox, or its template's new ones as well. */
export type PermissionScope = 'once' | 'sandbox' | 'template';

/** A program in a sandbox asks whether it may do something. Its texts hold no control characters. */
export interface Permission {
  id: string;
  state: PermissionState;
  sandboxId: string;
  /** The terminal whose program asks; absent when no terminal's does. */
  sessionId?: string;
  /** Which program asks, by its own account. */
  source: string;
  /** What it wants to do, with what, and why. */
  action: string;
  resource: string;
  description: string;
  /** Where it would do it. */
  cwd: string;
  /** The beginning of its tool's input, which has `inputBytes` in all. */
  input: string;
  inputBytes: number;
  /** How many approvers have to say yes. */
  quorum: number;
  createdAt: string;
  /** After this the answer is no. */
  expiresAt: string;
  decidedAt?: string;
  /** Absent when nobody did. */
  decidedBy?: string;
  reason?: string;
  /** Until then the same question needs no answer. */
  grantedUntil?: string;
  /** How far a yes may reach; only when a closed host is asked about. */
  scopes?: PermissionScope[];
  /** How far it reaches. */
  scope?: PermissionScope;
}

export interface PermissionAnswer {
  granted: boolean;
  /** A yes covers the same question until then; absent: for this once. */
  expiresAt?: string | Date;
  /** Told to the program. */
  reason?: string;
  /** How far a yes to the network reaches; `once` when absent. */
  scope?: PermissionScope;
}

export interface PermissionListParams {
  state?: PermissionState;
  sandboxId?: string;
  limit?: number;
}

/** What programs in the project's sandboxes ask to be allowed. */
export class PermissionService {
  constructor(private readonly transport: Transport) {}

  /** The newest first. */
  list(params: PermissionListParams = {}, options: CallOptions = {}): Listing<Permission> {
    return new Listing((cursor) =>
      this.transport.json<Page<Permission>>('GET', '/api/v1/permissions', { ...options, query: { ...params, cursor } }),
    );
  }

  get(id: string, options: CallOptions = {}): Promise<Permission> {
    return this.transport.json<Permission>('GET', this.path(id), options);
  }

  /** Says yes or no. It stays open while more approvers have to agree. */
  answer(id: string, answer: PermissionAnswer, options: CallOptions = {}): Promise<Permission> {
    const { expiresAt, ...rest } = answer;
    const body = { ...rest, ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }) };
    return this.transport.json<Permission>('POST', `${this.path(id)}/answer`, { ...options, body });
  }

  /** Takes a lasting yes back: the same question is asked again. */
  async revoke(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('DELETE', `${this.path(id)}/grant`, options);
  }

  private path(id: string): string {
    return `/api/v1/permissions/${encodeURIComponent(id)}`;
  }
}
