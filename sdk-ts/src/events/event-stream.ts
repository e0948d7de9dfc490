import { ConnectionError, TimeoutError, WorkspaceError } from '../errors/workspace-error.js';
import type { BivouacEvent, EventType } from '../generated/events.js';
import { pause, sleep } from '../http/retry-timing.js';
import { serverSentEvents } from '../http/server-sent-events.js';
import type { Transport } from '../http/transport.js';

export type EventPattern = EventType | '*' | 'sandbox.*' | 'agent.*' | 'terminal.*' | 'permission.*' | 'webhook.*';

/** The events that a pattern lets through. */
export type EventOf<Pattern extends EventPattern> = Pattern extends '*'
  ? BivouacEvent
  : Extract<BivouacEvent, { type: Pattern extends `${infer Family}.*` ? `${Family}.${string}` : Pattern }>;

export interface EventStreamOptions<Pattern extends EventPattern = EventPattern> {
  types?: readonly Pattern[];
  /** From where to go on; see {@link EventStream.lastEventId}. From now on when absent. */
  lastEventId?: string;
  signal?: AbortSignal;
  /** Says that somebody here answers permission requests: connections to closed hosts then wait for an answer. */
  approver?: boolean;
  /** Told whenever the stream stands, and whenever it is lost and looked for again. */
  onState?: (state: EventStreamState) => void;
}

export type EventStreamState = 'live' | 'connecting';

/** Some events are gone, because the stream was away too long: read the present state anew. */
export interface Gap {
  type: 'gap';
}

/** Too many requests for now. */
const RATE_LIMITED = 429;
const FIRST_OF_THE_SERVERS_OWN = 500;

/** The server says something every 15 s; a line that is silent for longer than this is broken, told or not. */
const SILENCE = 45_000;

/** A project's events as they happen. It comes back by itself and goes on where it was, until it is left or aborted. */
export class EventStream<Event extends BivouacEvent = BivouacEvent> implements AsyncIterable<Event | Gap> {
  /** The place after the last event given out. */
  lastEventId: string | undefined;
  readonly #transport: Transport;
  readonly #options: EventStreamOptions;
  #opened: (() => void) | undefined;
  /** Resolves when the stream stands: what happens after that is not missed. */
  readonly ready: Promise<void>;

  constructor(transport: Transport, options: EventStreamOptions) {
    this.#transport = transport;
    this.#options = options;
    this.lastEventId = options.lastEventId;
    this.ready = new Promise((resolve) => (this.#opened = resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event | Gap, void, void> {
    const { signal, onState } = this.#options;
    for (let failures = 0; ; ) {
      let asked: number | undefined;
      const line = new Line(signal);
      try {
        const response = await this.#open(line.signal);
        for await (const block of serverSentEvents(response)) {
          failures = 0;
          line.heard();
          this.#opened?.();
          if (line.isNew) onState?.('live');
          line.isNew = false;
          if (block.id !== '') this.lastEventId = block.id;
          if (block.data !== undefined) yield JSON.parse(block.data) as Event | Gap;
        }
      } catch (failure) {
        if (!passing(failure)) throw failure;
        failures++;
        asked = failure.retryAfter;
      } finally {
        if (!line.isNew) onState?.('connecting');
        line.leave();
      }
      // An orderly end comes back at once; trouble waits a little.
      await sleep(failures === 0 ? 0 : pause(failures, asked), signal);
    }
  }

  #open(signal: AbortSignal): Promise<Response> {
    const { types, approver } = this.#options;
    const headers: Record<string, string> = this.lastEventId === undefined ? {} : { 'Last-Event-ID': this.lastEventId };
    return this.#transport.stream('GET', '/api/v1/events', { query: { types: types?.join(','), approver }, headers, signal });
  }
}

/** One connection, given up when it is silent. */
class Line {
  isNew = true;
  readonly signal: AbortSignal;
  readonly #ending = new AbortController();
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]);
  }

  heard(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#ending.abort(new ConnectionError('The event stream was silent.')), SILENCE);
  }

  leave(): void {
    clearTimeout(this.#watch);
  }
}

/** What may be another answer in a moment: nobody answers, or the server, or a proxy before it, has trouble of its own. */
function passing(failure: unknown): failure is WorkspaceError {
  if (!(failure instanceof WorkspaceError)) return false;
  if (failure instanceof ConnectionError || failure instanceof TimeoutError) return true;
  return failure.status !== undefined && (failure.status >= FIRST_OF_THE_SERVERS_OWN || failure.status === RATE_LIMITED);
}
