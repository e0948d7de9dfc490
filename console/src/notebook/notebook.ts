import { newCell, withText, type Cell, type Output } from './cells.js';
import { Kernel, type CodeEvent, type CodeSession, type Language } from './kernel.js';

/** The cells of one sandbox, as long as the console is open: they outlive their page. */
export class Notebook {
  cells: Cell[] = [newCell('python')];
  language: Language = 'python';
  /** The session of the language, when another than its usual one was chosen. */
  readonly chosen = new Map<Language, string>();
  sessions: CodeSession[] = [];
  readonly kernel: Kernel;
  private readonly listeners = new Set<() => void>();
  private waiting: number[] = [];
  private running: { key: number; sessionId: string | undefined; abort: AbortController } | undefined;

  constructor(sandboxId: string) {
    this.kernel = new Kernel(sandboxId);
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get isBusy(): boolean {
    return this.running !== undefined;
  }

  set(cells: readonly Cell[]): void {
    this.cells = cells.length === 0 ? [newCell(this.language)] : [...cells];
    this.tell();
  }

  change(key: number, more: Partial<Cell>): void {
    this.cells = this.cells.map((cell) => (cell.key === key ? { ...cell, ...more } : cell));
    this.tell();
  }

  add(after: number | undefined): number {
    const made = newCell(this.language);
    const at = after === undefined ? this.cells.length : this.cells.findIndex(({ key }) => key === after) + 1;
    this.cells = [...this.cells.slice(0, at), made, ...this.cells.slice(at)];
    this.tell();
    return made.key;
  }

  remove(key: number): void {
    if (this.running?.key === key) return;
    this.waiting = this.waiting.filter((one) => one !== key);
    this.set(this.cells.filter((cell) => cell.key !== key));
  }

  /** Cells run one after the other, in the order in which they were asked for. */
  run(keys: readonly number[]): void {
    for (const key of keys) {
      if (this.running?.key === key || this.waiting.includes(key)) continue;
      this.waiting.push(key);
      this.change(key, { state: 'waiting' });
    }
    if (this.running === undefined) void this.next();
  }

  /** Stops what runs; what waits does not run either. */
  async interrupt(): Promise<void> {
    for (const key of this.waiting.splice(0)) this.change(key, { state: 'new' });
    const { running } = this;
    if (running === undefined) return;
    if (running.sessionId === undefined) running.abort.abort(new Error('Interrupted.'));
    else await this.kernel.interrupt(running.sessionId);
  }

  async readSessions(): Promise<void> {
    this.sessions = await this.kernel.sessions();
    this.tell();
  }

  private async next(): Promise<void> {
    for (let key = this.waiting.shift(); key !== undefined; key = this.waiting.shift()) {
      const cell = this.cells.find((one) => one.key === key);
      if (cell !== undefined) await this.execute(cell);
    }
    this.running = undefined;
    this.tell();
    await this.readSessions().catch(() => undefined);
  }

  private async execute(cell: Cell): Promise<void> {
    const abort = new AbortController();
    const running = (this.running = { key: cell.key, sessionId: this.chosen.get(cell.language), abort });
    const { count: _, tookMs: __, note: ___, ...rest } = cell;
    this.cells = this.cells.map((one) => (one.key === cell.key ? { ...rest, state: 'running', outputs: [] } : one));
    this.tell();
    let ended = false;
    try {
      for await (const event of this.kernel.run(cell.source, cell.language, running.sessionId, abort.signal)) {
        if (event.type === 'start') running.sessionId = event.sessionId;
        ended ||= event.type === 'exit';
        this.take(cell.key, event);
      }
      if (!ended) throw new Error('The connection ended before the code did.');
    } catch (failure) {
      this.put(cell.key, { kind: 'error', name: 'Error', text: failure instanceof Error ? failure.message : String(failure) });
      this.change(cell.key, { state: 'failed' });
      for (const key of this.waiting.splice(0)) this.change(key, { state: 'new' });
    }
  }

  private take(key: number, event: CodeEvent): void {
    switch (event.type) {
      case 'stdout':
      case 'stderr':
        this.change(key, { outputs: withText(this.outputsOf(key), event.type, event.data) });
        break;
      case 'result':
        this.put(key, { kind: 'result', result: event });
        break;
      case 'error': {
        const traceback = Array.isArray(event.traceback) ? event.traceback.join('\n') : event.traceback;
        this.put(key, { kind: 'error', name: event.name, text: traceback ?? `${event.name}: ${event.value ?? event.message ?? ''}` });
        break;
      }
      case 'exit':
        this.change(key, { state: event.ok ? 'done' : 'failed', count: event.executionCount, tookMs: event.durationMs, ...noteOf(event) });
        if (!event.ok) for (const waiting of this.waiting.splice(0)) this.change(waiting, { state: 'new' });
        break;
      case 'start':
      case 'status':
        break;
    }
  }

  private outputsOf(key: number): readonly Output[] {
    return this.cells.find((cell) => cell.key === key)?.outputs ?? [];
  }

  private put(key: number, output: Output): void {
    this.change(key, { outputs: [...this.outputsOf(key), output] });
  }

  private tell(): void {
    this.listeners.forEach((listener) => listener());
  }
}

function noteOf({ session, timedOut }: Extract<CodeEvent, { type: 'exit' }>): { note?: string } {
  const notes = [timedOut && 'ran out of time', session === 'lost' && 'the variables are gone'].filter((note) => note !== false);
  return notes.length === 0 ? {} : { note: notes.join(', ') };
}

const open = new Map<string, Notebook>();

export function notebookOf(sandboxId: string): Notebook {
  const present = open.get(sandboxId) ?? new Notebook(sandboxId);
  open.set(sandboxId, present);
  return present;
}
