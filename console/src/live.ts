import type { BivouacEvent, SandboxInfo } from '@bivouac/sdk';
import { client } from './session.js';

type Listener = (event: BivouacEvent | undefined) => void;

/** Whether the stream stands; shown, so that nobody takes an old picture for the present. */
export type LineState = 'connecting' | 'live';

/**
 * The project's sandboxes as they are now: read once, then kept up to date by the event stream. After a gap, or a new
 * connection, they are read again.
 */
export class Live {
  readonly sandboxes = new Map<string, SandboxInfo>();
  line: LineState = 'connecting';
  private readonly listeners = new Set<Listener>();
  private readonly ending = new AbortController();

  /** Called on every change, with the event if there was one; the result ends that. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async follow(failed: (failure: unknown) => void): Promise<void> {
    const stream = client.events({ signal: this.ending.signal });
    void stream.ready.then(() => this.read()).catch(failed);
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

  private async read(): Promise<void> {
    const found = new Map<string, SandboxInfo>();
    for await (const sandbox of client.sandbox.list({ limit: 500 })) found.set(sandbox.id, sandbox.toJSON());
    this.sandboxes.clear();
    found.forEach((sandbox, id) => this.sandboxes.set(id, sandbox));
    this.line = 'live';
    this.tell(undefined);
  }

  private take(event: BivouacEvent): void {
    if (isAboutSandbox(event)) {
      const { data } = event;
      if (data.state === 'deleted') this.sandboxes.delete(data.id);
      else {
        const before = this.sandboxes.get(data.id) ?? ({ resources: { cpu: 0, memory: '', disk: '' } } as SandboxInfo);
        const { stateReason: _, stopReason: __, ...lasting } = before;
        this.sandboxes.set(data.id, { ...lasting, ...data, updatedAt: event.timestamp });
      }
    }
    this.tell(event);
  }

  private tell(event: BivouacEvent | undefined): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

function isAboutSandbox(event: BivouacEvent): event is Extract<BivouacEvent, { type: `sandbox.${string}` }> {
  return event.type.startsWith('sandbox.');
}
