import { LARGEST_INPUT } from './frames.js';

/** What one terminal may hold of what was typed and not yet applied. */
export const MOST_WAITING = 1024 * 1024;

interface Piece {
  sequence: number;
  data: Uint8Array;
}

/** What was typed and the sandbox has not applied yet: kept, so that a new connection can send it again. */
export class InputLine {
  private readonly pieces: Piece[] = [];
  private bytes = 0;
  private last = 0;
  private waiting: Array<() => void> = [];

  /** The pieces to send now; a long text is several. */
  add(data: Uint8Array): Piece[] {
    const added: Piece[] = [];
    for (let at = 0; at < data.length; at += LARGEST_INPUT) {
      added.push({ sequence: ++this.last, data: data.subarray(at, at + LARGEST_INPUT) });
    }
    this.pieces.push(...added);
    this.bytes += data.length;
    return added;
  }

  applied(sequence: number): void {
    while (this.pieces[0] !== undefined && this.pieces[0].sequence <= sequence) {
      this.bytes -= this.pieces.shift()?.data.length ?? 0;
    }
    if (!this.isFull()) this.release();
  }

  /** What a new connection must be sent, after the server said how far it is. */
  unapplied(): readonly Piece[] {
    return this.pieces;
  }

  isFull(): boolean {
    return this.bytes > MOST_WAITING;
  }

  /** Resolves when there is room again. */
  room(): Promise<void> {
    if (!this.isFull()) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Nobody waits for room any more. */
  release(): void {
    const released = this.waiting;
    this.waiting = [];
    released.forEach((resolve) => resolve());
  }
}
