import { errorOf } from '../errors/problem.js';
import { ConnectionError } from '../errors/workspace-error.js';
import { pause, sleep } from '../http/retry-timing.js';
import { serverSentEvents, type ServerSentEvent } from '../http/server-sent-events.js';
import type { Transport } from '../http/transport.js';

interface Output {
  commandId: string;
  /** Bytes that are not UTF-8 are replaced here and exact in `bytes`. */
  data: string;
  bytes?: Uint8Array;
}

/** What a running command tells. */
export type StreamEvent =
  | { type: 'start'; commandId: string; pid: number }
  | ({ type: 'stdout' } & Output)
  | ({ type: 'stderr' } & Output)
  | { type: 'gap'; commandId: string; stream: 'stdout' | 'stderr'; from: number; to: number }
  | { type: 'exit'; commandId: string; exitCode: number; truncated: boolean; durationMs: number };

interface Wire {
  type: string;
  commandId: string;
  data?: string;
  dataBase64?: string;
  code?: number;
  name?: string;
  message?: string;
}

/** Cuts in a row, without a byte between them, after which the stream gives up. */
const MOST_CUTS = 10;

/** A command's output, over as many connections as it takes. */
export class CommandStream {
  private commandId: string | undefined;
  private lastId: string | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async *run(body: unknown): AsyncGenerator<StreamEvent, void, void> {
    yield* this.all(await this.transport.stream('POST', `${this.path}/run`, { body, signal: this.signal }));
  }

  async *follow(commandId: string): AsyncGenerator<StreamEvent, void, void> {
    this.commandId = commandId;
    yield* this.all(await this.reopen());
  }

  private async *all(first: Response): AsyncGenerator<StreamEvent, void, void> {
    let response = first;
    for (let cuts = 0; ; ) {
      try {
        for await (const event of serverSentEvents(response)) {
          const told = this.take(event);
          if (told === undefined) continue;
          cuts = 0;
          yield told;
          if (told.type === 'exit') return;
        }
        throw new ConnectionError('The stream ended before the command did.');
      } catch (failure) {
        if (!(failure instanceof ConnectionError) || this.commandId === undefined || ++cuts > MOST_CUTS) throw failure;
        await sleep(pause(cuts, undefined), this.signal);
        response = await this.reopen();
      }
    }
  }

  private reopen(): Promise<Response> {
    const headers: Record<string, string> = this.lastId === undefined ? {} : { 'Last-Event-ID': this.lastId };
    const path = `${this.path}/${encodeURIComponent(this.commandId ?? '')}/output`;
    return this.transport.stream('GET', path, { headers, signal: this.signal });
  }

  private take(event: ServerSentEvent): StreamEvent | undefined {
    if (event.data === undefined) return undefined;
    const wire = JSON.parse(event.data) as Wire;
    if (wire.type === 'error') {
      throw errorOf(wire.message ?? 'The command failed.', { code: wire.code ?? 0, name: wire.name ?? 'COMMAND_FAILED' });
    }
    // A resumed stream begins with the same start again.
    const again = wire.type === 'start' && this.lastId !== undefined;
    this.commandId = wire.commandId;
    this.lastId = event.id;
    if (again) return undefined;
    if (wire.dataBase64 !== undefined) {
      const bytes = Uint8Array.from(atob(wire.dataBase64), (character) => character.charCodeAt(0));
      return { type: wire.type, commandId: wire.commandId, data: new TextDecoder().decode(bytes), bytes } as StreamEvent;
    }
    return wire as StreamEvent;
  }
}
