import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';

/** One act; each row carries the hash of the one before. */
export interface AuditRow {
  sequence: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
  detail: string;
  previous: string;
  hash: string;
}

export interface AuditVerdict {
  intact: boolean;
  firstBroken?: number | null;
}

/** Who did what in the project; needs the role admin. */
export class AuditService {
  constructor(private readonly transport: Transport) {}

  /** The newest first. */
  list(params: { limit?: number } = {}, options: CallOptions = {}): Listing<AuditRow> {
    return new Listing((cursor) =>
      this.transport.json<Page<AuditRow>>('GET', '/api/v1/audit', { ...options, query: { ...params, cursor } }),
    );
  }

  /** Has the server compute every hash again. */
  verify(options: CallOptions = {}): Promise<AuditVerdict> {
    return this.transport.json('GET', '/api/v1/audit/verify', options);
  }
}
