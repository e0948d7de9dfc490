import type { BivouacEvent, EventStreamState, SandboxInfo } from '@bivouac/sdk';
import { client } from './session.js';

const BEGIN_AGAIN_AFTER = 5_000;

/** Events that are kept to be shown, of the whole project. */
const KEPT_EVENTS = 300;

type Listener = (event: BivouacEvent | undefined) => void;

/**
 * The project's sandboxes as they are now: read once, then kept up to date by the event stream. After a gap, or a new
 * connection, they are read again.
 */
export class Live {
  readonly sandboxes = new Map<string, SandboxInfo>();
  /** Whether the stream stands; shown, so that nobody takes an old picture for the present. */
  line: EventStreamState = 'connecting';
  /** The last events, the newest first. */
  readonly recent: BivouacEvent[] = [];
  private wasRead = false;
  /** What events said while everything was read is newer than what was read. */
  private changedWhileRead: Set<string> | undefined;
  private readonly listeners = new Set<Listener>();
  private readonly completing = new Set<string>();
  private readonly ending = new AbortController();

  /** @param approves whether somebody here may answer permission requests: programs wait for them then */
  constructor(private readonly approves = false) {}

  /** Called on every change, with the event if there was one; the result ends that. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Follows until the page is left; what ends the stream is told, and it is begun again. */
  async follow(failed: (failure: unknown) => void): Promise<void> {
    while (!this.ending.signal.aborted) {
      await this.once(failed);
      this.wasRead = false;
      this.stands('connecting');
      await new Promise((resolve) => setTimeout(resolve, BEGIN_AGAIN_AFTER));
    }
  }

  private async once(failed: (failure: unknown) => void): Promise<void> {
    const stream = client.events({ signal: this.ending.signal, onState: (state) => this.stands(state), approver: this.approves });
    void stream.ready.then(() => this.readFirst(failed));
    try {
      for await (const event of stream) {
        if (event.type === 'gap') await this.read();
        else this.take(event);
      }
    } catch (failure) {
      if (!this.ending.signal.aborted) failed(failure);
    }
  }

  stop(): void {
    this.ending.abort(new Error('The page was left.'));
  }

  /** The stream may stand for days: what could not be read is read again, and the trouble told once. */
  private async readFirst(failed: (failure: unknown) => void): Promise<void> {
    for (let told = false; !this.wasRead && !this.ending.signal.aborted; ) {
      try {
        await this.read();
      } catch (failure) {
        if (!told) failed(failure);
        told = true;
        await new Promise((resolve) => setTimeout(resolve, BEGIN_AGAIN_AFTER));
      }
    }
  }

  private async read(): Promise<void> {
    const found = new Map<string, SandboxInfo>();
    const newer = (this.changedWhileRead = new Set<string>());
    for await (const sandbox of client.sandbox.list({ limit: 500 })) found.set(sandbox.id, sandbox.toJSON());
    for (const id of this.sandboxes.keys()) if (!found.has(id) && !newer.has(id)) this.sandboxes.delete(id);
    found.forEach((sandbox, id) => newer.has(id) || this.sandboxes.set(id, sandbox));
    this.changedWhileRead = undefined;
    this.wasRead = true;
    this.stands('live');
  }

  /** A stream that comes back has what happened meanwhile; only the first time everything is read as well. */
  private stands(state: EventStreamState): void {
    this.line = this.wasRead ? state : 'connecting';
    this.tell(undefined);
  }

  /** What events do not tell of a sandbox that was made meanwhile. */
  async complete(id: string): Promise<void> {
    if (this.completing.has(id)) return;
    this.completing.add(id);
    try {
      const { resources, egress, state, onExpiry, autoResume, expiredFiles } = (await client.sandbox.get(id)).toJSON();
      const present = this.sandboxes.get(id);
      if (present === undefined) return;
      this.sandboxes.set(id, { ...present, resources, egress, onExpiry, autoResume, ...(present.state === 'expired' ? { state } : {}), ...(expiredFiles === undefined ? {} : { expiredFiles }) });
      this.tell(undefined);
    } catch {
      // It is gone, or asked for again at its next change.
    } finally {
      this.completing.delete(id);
    }
  }

  /** What the server has just answered, which no event tells. */
  put(sandbox: SandboxInfo): void {
    const before = this.sandboxes.get(sandbox.id);
    if (before === undefined) return;
    this.changedWhileRead?.add(sandbox.id);
    this.sandboxes.set(sandbox.id, { ...before, ...sandbox });
    this.tell(undefined);
  }

  /** What happened before the stream began, read elsewhere. */
  remember(events: readonly BivouacEvent[]): void {
    const known = new Set(this.recent.map(({ id }) => id));
    this.recent.push(...events.filter(({ id }) => !known.has(id)));
    this.recent.sort((a, b) => b.timestamp.localeCompare(a.timestamp));
    this.recent.splice(KEPT_EVENTS);
    this.tell(undefined);
  }

  private take(event: BivouacEvent): void {
    if (!this.recent.some(({ id }) => id === event.id)) this.recent.unshift(event);
    this.recent.splice(KEPT_EVENTS);
    if (isAboutSandbox(event)) {
      const { data } = event;
      this.changedWhileRead?.add(data.id);
      if (data.state === 'deleted') this.sandboxes.delete(data.id);
      else {
        const before = this.sandboxes.get(data.id) ?? ({ resources: { cpu: 0, memory: '', disk: '' }, egress: { allow: [] as string[] } } as SandboxInfo);
        const { stateReason: _, stopReason: __, ...lasting } = before;
        // In events an expired one is stopped.
        const isOver = data.state === 'stopped' && data.stopReason === 'expired' && before.onExpiry !== 'stop';
        this.sandboxes.set(data.id, { ...lasting, ...data, ...(isOver ? { state: 'expired' } : {}), updatedAt: event.timestamp });
        if (isOver) void this.complete(data.id);
      }
    }
    this.tell(event);
  }

  private tell(event: BivouacEvent | undefined): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

function isAboutSandbox(event: BivouacEvent): event is Exclude<Extract<BivouacEvent, { type: `sandbox.${string}` }>, { type: `sandbox.port-${string}` }> {
  return event.type.startsWith('sandbox.') && !event.type.startsWith('sandbox.port-');
}
