import type { FileInfo, FileService } from '@bivouac/sdk';

/** Of a larger file only this much is shown, and nothing can be edited. */
export const MOST_TEXT = 1024 * 1024;
const MOST_PICTURE = 8 * 1024 * 1024;

const PICTURES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
};

/** What a file turned out to be, read as far as it is shown. */
export type Contents =
  | { kind: 'text'; text: string; etag: string; lineEnd: LineEnd; whole: boolean }
  | { kind: 'picture'; address: string; etag: string }
  | { kind: 'binary'; etag: string };

/** A text field knows one line end alone; a file that has several cannot be edited in one without being changed. */
export type LineEnd = '\n' | '\r\n' | 'mixed';

export async function contentsOf(files: FileService, path: string, { size }: Pick<FileInfo, 'size'>): Promise<Contents> {
  const type = PICTURES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  const isPicture = type !== undefined && size <= MOST_PICTURE;
  const { stream, etag } = await files.download(path, isPicture || size <= MOST_TEXT ? {} : { length: MOST_TEXT });
  const bytes = new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
  if (isPicture) return { kind: 'picture', address: await dataAddress(bytes, type), etag };
  const whole = size <= MOST_TEXT;
  const text = textOf(bytes, whole);
  return text === undefined ? { kind: 'binary', etag } : { kind: 'text', text: text.replaceAll('\r\n', '\n'), etag, lineEnd: lineEndOf(text), whole };
}

/** Undefined when it is no text: it has a byte 0, or is not UTF-8. */
export function textOf(bytes: Uint8Array, whole: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    // What was cut off may end within a character.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}

export function lineEndOf(text: string): LineEnd {
  const windows = text.split('\r\n').length - 1;
  const all = text.split(/\r\n|\r|\n/).length - 1;
  if (windows === 0) return text.includes('\r') ? 'mixed' : '\n';
  return windows === all ? '\r\n' : 'mixed';
}

/** A picture is given to the page as data, never as an address that somebody could open as a page of this server. */
function dataAddress(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('The picture could not be read.'));
    reader.readAsDataURL(new Blob([bytes], { type }));
  });
}
