import type { Sandbox } from '@bivouac/sdk';

/** The most of a file that one answer holds, in bytes. */
export const MOST_READ = 262_144;

export interface Piece {
  /** Undefined when the bytes are not UTF-8. */
  text: string | undefined;
  /** Whole characters, when they are text. */
  bytes: Buffer;
  /** Whether the file goes on behind them. */
  more: boolean;
}

export async function piece(sandbox: Sandbox, path: string, where: { offset: number; length: number }, signal: AbortSignal): Promise<Piece> {
  const { size, type } = await sandbox.files.stat(path, { signal });
  // An empty file has no range that could be asked for; the size of a link is not that of its file.
  if (type === 'file' && where.offset >= size) return { text: '', bytes: Buffer.alloc(0), more: false };
  // One byte more tells whether there is more.
  const bytes = await sandbox.files.readBytes(path, { ...where, length: where.length + 1 }, { signal });
  return cut(Buffer.from(bytes.subarray(0, where.length)), bytes.length > where.length);
}

function cut(bytes: Buffer, more: boolean): Piece {
  try {
    // Behind the end of a piece a character may go on: it belongs to the next piece.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: more });
    const whole = bytes.subarray(0, Buffer.byteLength(text));
    return whole.length === 0 && bytes.length > 0 ? { text: undefined, bytes, more } : { text, bytes: whole, more };
  } catch {
    return { text: undefined, bytes, more };
  }
}
