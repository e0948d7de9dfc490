/** How many bytes the server may send before we have read them. */
export const WINDOW = 256 * 1024;

/** What arrived and was not read yet, never more than the window. */
export class OutputLine {
  private readonly chunks: Uint8Array[] = [];
  private bytes = 0;
  private read = 0;
  private ended = false;
  private failure: unknown;
  private waiting: (() => void) | undefined;

  /** @param grant gives the server credit for so many more bytes */
  constructor(private readonly grant: (bytes: number) => void) {}

  /** What a new connection may send at once. */
  room(): number {
    this.read = 0;
    return Math.max(1, WINDOW - this.bytes);
  }

  add(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    this.wake();
  }

  end(failure?: unknown): void {
    this.ended = true;
    this.failure = failure;
    this.wake();
  }

  /** The next bytes, all that are there; undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    while (this.chunks.length === 0) {
      if (this.failure !== undefined) throw this.failure;
      if (this.ended) return undefined;
      await new Promise<void>((resolve) => (this.waiting = resolve));
    }
    const chunk = this.chunks.length === 1 ? this.chunks[0] : joined(this.chunks, this.bytes);
    this.chunks.length = 0;
    this.read += this.bytes;
    this.bytes = 0;
    // Seldom enough not to cost, often enough that the server never stands still.
    if (this.read >= WINDOW / 4) {
      this.grant(this.read);
      this.read = 0;
    }
    return chunk;
  }

  private wake(): void {
    this.waiting?.();
    this.waiting = undefined;
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
