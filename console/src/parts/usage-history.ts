import type { SandboxStats } from '@bivouac/sdk';
import type { Live } from '../live.js';
import { client } from '../session.js';
import { repeat, type OnLeave } from './repeat.js';

const EVERY = 5_000;

/** An hour of them, at one each five seconds. */
const KEPT = 720;

/** What a page asks for at once; the others are asked for when they are looked at. */
const MOST_FOLLOWED = 16;

export interface Sample {
  at: number;
  stats: SandboxStats;
}

/**
 * What sandboxes used while the console showed it, for an hour at most. The server keeps no history of that; a page
 * that is reloaded begins anew.
 */
export class UsageHistory {
  private readonly samples = new Map<string, Sample[]>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly live: Live) {}

  /** Asks for all that are followed now and then, until the page is left. */
  follow(onLeave: OnLeave): void {
    repeat(EVERY, onLeave, () => this.round());
  }

  of(id: string): readonly Sample[] {
    return this.samples.get(id) ?? [];
  }

  latest(id: string): SandboxStats | undefined {
    return this.samples.get(id)?.at(-1)?.stats;
  }

  /** The newest sandboxes that run: those that are followed without being looked at. */
  followed(): string[] {
    const running = [...this.live.sandboxes.values()].filter(({ state }) => state === 'running');
    return running.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, MOST_FOLLOWED).map(({ id }) => id);
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Asks for one now. */
  async read(id: string): Promise<void> {
    const stats = await client.sandbox.stats(id);
    const kept = this.samples.get(id) ?? [];
    kept.push({ at: Date.now() / 1000, stats });
    if (kept.length > KEPT) kept.shift();
    this.samples.set(id, kept);
    this.listeners.forEach((listener) => listener());
  }

  private async round(): Promise<void> {
    for (const id of this.samples.keys()) if (!this.live.sandboxes.has(id)) this.samples.delete(id);
    // One after the other: the server has better things to do. One that has just ended has no figures.
    for (const id of this.followed()) if (this.live.sandboxes.get(id)?.state === 'running') await this.read(id).catch(() => undefined);
  }
}
