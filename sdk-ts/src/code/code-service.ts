import { errorOf } from '../errors/problem.js';
import { ConnectionError } from '../errors/workspace-error.js';
import { serverSentEvents } from '../http/server-sent-events.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { CodeResult, type ResultFacts } from './code-result.js';
import { CodeSessionService } from './code-session-service.js';
import type { CodeCallbacks, CodeEvent, CodeExit, CodeFailure, CodeParams } from './types.js';

/** The time that the slowest interpreter takes to start before anything is told, and a little; in milliseconds. */
const FIRST_EVENT_TIMEOUT = 120_000;

/** What code did, all of it. */
export interface CodeRun {
  executionId: string;
  sessionId: string;
  stdout: string;
  stderr: string;
  /** In the order in which they were shown. */
  results: CodeResult[];
  /** The value of the last line as text, if it had one. */
  text: string | undefined;
  error: CodeFailure | undefined;
  exit: CodeExit;
}

/** Runs code in a sandbox, in interpreters that keep their variables. */
export class CodeService {
  readonly sessions: CodeSessionService;
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, sandboxId: string) {
    this.#transport = transport;
    this.#path = `/api/v1/sandboxes/${encodeURIComponent(sandboxId)}/code`;
    this.sessions = new CodeSessionService(transport, this.#path);
  }

  /** Runs code to its end. What it raises is in `error`, and no error of the call. */
  async run(code: string, params: CodeParams & CodeCallbacks = {}): Promise<CodeRun> {
    const { onStart, onStdout, onStderr, onResult, onError, ...rest } = params;
    const run: Omit<CodeRun, 'exit' | 'text'> = { executionId: '', sessionId: '', stdout: '', stderr: '', results: [], error: undefined };
    for await (const event of this.runStream(code, rest)) {
      switch (event.type) {
        case 'start':
          run.executionId = event.executionId;
          run.sessionId = event.sessionId;
          await onStart?.({ executionId: event.executionId, sessionId: event.sessionId });
          break;
        case 'stdout':
          run.stdout += event.data;
          await onStdout?.(event.data);
          break;
        case 'stderr':
          run.stderr += event.data;
          await onStderr?.(event.data);
          break;
        case 'result':
          run.results.push(event.result);
          await onResult?.(event.result);
          break;
        case 'error': {
          const { type: _, ...failure } = event;
          run.error = failure;
          await onError?.(failure);
          break;
        }
        case 'exit': {
          const { type: _, ...exit } = event;
          return { ...run, text: run.results.find((result) => result.main)?.text, exit };
        }
      }
    }
    throw new ConnectionError('The stream ended before the code did.');
  }

  /** Runs code and yields what it tells as it comes. Ending the iteration early interrupts the code. */
  async *runStream(code: string, params: CodeParams = {}): AsyncGenerator<CodeEvent, void, void> {
    const { session, timeout, envs, signal } = params;
    const language = params.language ?? (session === undefined ? 'python' : undefined);
    const body = { language, code, sessionId: typeof session === 'object' ? session.id : session, timeout, envs, stream: true };
    const response = await this.#transport.stream('POST', this.#path, { body, signal, timeout: FIRST_EVENT_TIMEOUT });
    for await (const { data } of serverSentEvents(response)) {
      const event = data === undefined ? undefined : this.#event(JSON.parse(data) as Wire);
      if (event === undefined) continue;
      yield event;
      if (event.type === 'exit') return;
    }
    throw new ConnectionError('The stream ended before the code did.');
  }

  /** A value that code showed, as long as the server keeps it. */
  async result(id: string, type: string, options: CallOptions = {}): Promise<Uint8Array> {
    const path = `${this.#path}/results/${encodeURIComponent(id)}`;
    const { body } = await this.#transport.stream('GET', path, { ...options, query: { type } }, '*/*');
    // Only its body: whoever gives a fetch of their own need not have all of an answer.
    return new Uint8Array(await new Response(body).arrayBuffer());
  }

  #event(wire: Wire): CodeEvent | undefined {
    switch (wire.type) {
      case 'result':
        return { type: 'result', result: new CodeResult(wire, (id, type, options) => this.result(id, type, options)) };
      case 'error': {
        if ('code' in wire) throw errorOf(wire.message, { code: wire.code, name: wire.name, details: undefined });
        const { traceback } = wire;
        return { ...wire, traceback: Array.isArray(traceback) ? traceback.join('\n') : traceback };
      }
      case 'start':
      case 'stdout':
      case 'stderr':
      case 'exit':
        return wire;
      default:
        // A heartbeat, or an event of a newer server.
        return undefined;
    }
  }
}

type Wire =
  | Exclude<CodeEvent, { type: 'result' | 'error' }>
  | ({ type: 'result' } & ResultFacts)
  | { type: 'error'; name: string; value: string; traceback: string | string[] }
  | { type: 'error'; code: number; name: string; message: string }
  | { type: 'status'; kernel: string };
