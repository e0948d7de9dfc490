import { LARGEST_INPUT } from './frames.js';

/** What one terminal may hold of what was typed and not yet applied. */
export const MOST_WAITING = 1024 * 1024;

/**
 * What may be on its way. Not more than the server keeps: it would stop reading, and the credit that lets the program
 * go on writing, and so reading, comes by the same way.
 */
const MOST_ON_THE_WAY = 256 * 1024;

interface Piece {
  sequence: number;
  data: Uint8Array;
}

/** What was typed and the sandbox has not applied yet: kept, so that a new connection can send it again. */
export class InputLine {
  private readonly pieces: Piece[] = [];
  private bytes = 0;
  /** How many of the pieces are on their way, and their bytes. */
  private sent = 0;
  private sentBytes = 0;
  private last = 0;
  private waiting: Array<() => void> = [];

  /** A long text is several pieces. */
  add(data: Uint8Array): void {
    for (let at = 0; at < data.length; at += LARGEST_INPUT) {
      this.pieces.push({ sequence: ++this.last, data: data.subarray(at, at + LARGEST_INPUT) });
    }
    this.bytes += data.length;
  }

  /** What to send now. */
  *due(): Generator<Piece, void, void> {
    for (let next = this.pieces[this.sent]; next !== undefined; next = this.pieces[this.sent]) {
      if (this.sentBytes + next.data.length > MOST_ON_THE_WAY) return;
      this.sent++;
      this.sentBytes += next.data.length;
      yield next;
    }
  }

  applied(sequence: number): void {
    while (this.pieces[0] !== undefined && this.pieces[0].sequence <= sequence) {
      const size = this.pieces.shift()?.data.length ?? 0;
      this.bytes -= size;
      if (this.sent === 0) continue;
      this.sent--;
      this.sentBytes -= size;
    }
    if (!this.isFull()) this.release();
  }

  /** A new connection, whose server has applied so much, is sent the rest again. */
  restart(sequence: number): void {
    this.sent = 0;
    this.sentBytes = 0;
    this.applied(sequence);
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
