import type { Sandbox } from '@bivouac/sdk';

/** The most of a file that one answer holds, in bytes. */
export const MOST_READ = 262_144;

export interface Piece {
  /** Undefined when the bytes are not UTF-8. */
  text: string | undefined;
  bytes: Buffer;
  /** Of the whole file. */
  size: number;
}

export async function piece(sandbox: Sandbox, path: string, where: { offset: number; length: number }, signal: AbortSignal): Promise<Piece> {
  const { size, type } = await sandbox.files.stat(path, { signal });
  // An empty file has no range, and a link's own size says nothing.
  if (type === 'file' && where.offset >= size) return { text: '', bytes: Buffer.alloc(0), size };
  const { stream, size: whole } = await sandbox.files.download(path, where, { signal });
  const bytes = Buffer.from(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
  return { text: decoded(bytes), bytes, size: whole };
}

function decoded(bytes: Buffer): string | undefined {
  try {
    // The last character may be cut by the piece's end.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
