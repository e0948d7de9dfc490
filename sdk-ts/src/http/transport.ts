import { errorFrom } from '../errors/problem.js';
import { ConnectionError, TimeoutError, UnexpectedAnswerError, WorkspaceError } from '../errors/workspace-error.js';
import { INSPECT } from './inspecting.js';
import { pause, sleep } from './retry-timing.js';

/** What every call may be given. */
export interface CallOptions {
  /** Ends the call; it then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How long to wait for an answer, in milliseconds. */
  timeout?: number | undefined;
}

export interface TransportSettings {
  apiUrl: string;
  apiKey?: string | undefined;
  timeout: number;
  retries: number;
  headers: Record<string, string>;
  fetch: typeof globalThis.fetch;
}

export interface Call extends CallOptions {
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: unknown;
  /** A body that is sent as it is, instead of JSON. */
  contents?: Contents | undefined;
  headers?: Record<string, string>;
  /** Whether doing it twice is the same as doing it once. By default: whatever is no POST. */
  repeatable?: boolean;
}

/** What a file is written from. A stream can be sent once, so such a call is not repeated. */
export type Contents = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One attempt: how it is ended early, and what the time limit covers. */
interface Attempt {
  signal: AbortSignal;
  /** The time limit is met. */
  answered(): void;
  /** Nothing more comes: neither the limit nor the caller's signal can end it now. */
  over(): void;
}

/** Sends requests, retries what may be repeated, and turns refusals into errors. */
export class Transport {
  constructor(readonly settings: TransportSettings) {}

  async json<T>(method: Method, path: string, call: Call = {}): Promise<T> {
    return this.attempts(method, call, async (attempt) => {
      const response = await this.send(method, path, call, attempt, 'application/json');
      const text = await textOf(response, attempt);
      attempt.over();
      if (text === '') return undefined as T;
      try {
        return JSON.parse(text) as T;
      } catch {
        throw new UnexpectedAnswerError(`Not JSON: ${text.slice(0, 200)}`, response.status);
      }
    });
  }

  /** The answer as soon as its head is there; the time limit ends with that, the signal goes on. */
  async stream(method: Method, path: string, call: Call, accept = 'text/event-stream'): Promise<Response> {
    return this.attempts(method, call, async (attempt) => {
      const response = await this.send(method, path, call, attempt, accept);
      attempt.answered();
      return response;
    });
  }

  url(path: string, query: Call['query'] = {}): URL {
    const url = new URL(this.settings.apiUrl.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? (value as readonly string[]) : [value]) {
        if (one !== undefined) url.searchParams.append(name, String(one));
      }
    }
    return url;
  }

  /** What proves who calls, where a client may set headers. */
  authorization(): Record<string, string> {
    const key = this.settings.apiKey;
    return { ...this.settings.headers, ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }) };
  }

  /** What a console or a log shows: neither key nor headers. */
  toJSON(): { apiUrl: string } {
    return { apiUrl: this.settings.apiUrl };
  }

  [INSPECT](): { apiUrl: string } {
    return this.toJSON();
  }

  private async attempts<T>(method: Method, call: Call, once: (attempt: Attempt) => Promise<T>): Promise<T> {
    const repeatable = call.repeatable ?? (method !== 'POST' && !(call.contents instanceof ReadableStream));
    let perhapsDone = false;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.limited(call, once);
      } catch (failure) {
        // The answer to what deleted it was lost.
        if (perhapsDone && method === 'DELETE' && failure instanceof WorkspaceError && failure.status === 404) return undefined as T;
        if (attempt >= this.settings.retries || !mayRetry(failure, repeatable)) throw failure;
        perhapsDone ||= (failure as WorkspaceError).code !== RATE_LIMITED;
        await sleep(pause(attempt, (failure as WorkspaceError).retryAfter), call.signal);
      }
    }
  }

  private async limited<T>(call: Call, once: (attempt: Attempt) => Promise<T>): Promise<T> {
    call.signal?.throwIfAborted();
    const milliseconds = call.timeout ?? this.settings.timeout;
    const ending = new AbortController();
    const limit = { passed: false };
    const timer = setTimeout(() => {
      limit.passed = true;
      ending.abort();
    }, milliseconds);
    const aborted = (): void => ending.abort(call.signal?.reason);
    call.signal?.addEventListener('abort', aborted, { once: true });
    const answered = (): void => clearTimeout(timer);
    const over = (): void => {
      answered();
      call.signal?.removeEventListener('abort', aborted);
    };
    try {
      return await once({ signal: ending.signal, answered, over });
    } catch (failure) {
      over();
      if (limit.passed) throw new TimeoutError(milliseconds);
      if (call.signal?.aborted) throw call.signal.reason;
      throw failure;
    }
  }

  private async send(method: Method, path: string, call: Call, attempt: Attempt, accept: string): Promise<Response> {
    const headers: Record<string, string> = { Accept: accept, ...this.authorization(), ...call.headers };
    const init: RequestInit = { method, headers, signal: attempt.signal };
    if (call.body !== undefined) {
      headers['Content-Type'] = 'application/json';
      init.body = JSON.stringify(call.body);
    }
    if (call.contents !== undefined) {
      headers['Content-Type'] = 'application/octet-stream';
      init.body = call.contents as BodyInit;
      // A stream is sent while its answer has not begun; the type does not know the field yet.
      if (call.contents instanceof ReadableStream) Object.assign(init, { duplex: 'half' });
    }
    let response: Response;
    try {
      response = await this.settings.fetch(this.url(path, call.query), init);
    } catch (failure) {
      throw attempt.signal.aborted ? failure : new ConnectionError(`Cannot reach ${this.settings.apiUrl}`, failure);
    }
    if (!response.ok) throw errorFrom(response, await textOf(response, attempt));
    return response;
  }
}

async function textOf(response: Response, attempt: Attempt): Promise<string> {
  try {
    return await response.text();
  } catch (failure) {
    throw attempt.signal.aborted ? failure : new ConnectionError('The answer was cut off.', failure);
  }
}

const RATE_LIMITED = 9002;
const UNAVAILABLE = 9003;

/** A request that was refused for its rate was not done; after the others only what is repeatable may be repeated. */
function mayRetry(failure: unknown, repeatable: boolean): boolean {
  if (!(failure instanceof WorkspaceError)) return false;
  if (failure.code === RATE_LIMITED) return true;
  return repeatable && (failure.code === UNAVAILABLE || failure instanceof ConnectionError);
}
