import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';
import type { CodeLanguage, CodeSession, CodeSessionParams } from './types.js';

/** The time that the slowest interpreter takes to start, and a little; in milliseconds. */
const START_TIMEOUT = 120_000;

/** Interpreters of a sandbox that keep their variables. */
export class CodeSessionService {
  constructor(
    private readonly transport: Transport,
    /** Of the sandbox's code. */
    private readonly path: string,
  ) {}

  create(language: CodeLanguage = 'python', params: CodeSessionParams = {}): Promise<CodeSession> {
    const { cwd, ...options } = params;
    return this.transport.json('POST', this.of(), { timeout: START_TIMEOUT, ...options, body: { language, cwd } });
  }

  list(options: CallOptions = {}): Listing<CodeSession> {
    return new Listing((cursor) => this.transport.json<Page<CodeSession>>('GET', this.of(), { ...options, query: { cursor } }));
  }

  /** Ends an interpreter; its variables go. */
  async delete(session: CodeSession | string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('DELETE', this.of(session), options);
  }

  /** Stops what runs, as Ctrl-C would; the variables stay. */
  async interrupt(session: CodeSession | string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('POST', `${this.of(session)}/interrupt`, { ...options, repeatable: true });
  }

  /** A fresh interpreter under the same id. */
  async restart(session: CodeSession | string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('POST', `${this.of(session)}/restart`, { timeout: START_TIMEOUT, ...options, repeatable: true });
  }

  private of(session?: CodeSession | string): string {
    if (session === undefined) return `${this.path}/sessions`;
    return `${this.path}/sessions/${encodeURIComponent(typeof session === 'string' ? session : session.id)}`;
  }
}
