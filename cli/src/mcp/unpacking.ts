import { brotliDecompressSync } from 'node:zlib';

/** The protocol's library as the build packed it: one file, compressed, in base64. */
declare const BIVOUAC_MCP_LIBRARY: string;

export type Library = typeof import('./library.js');

/**
 * The program is given out as one file, so the library cannot lie beside it. As text it costs other commands nothing: it
 * is compiled here, when it is needed.
 */
export async function library(): Promise<Library> {
  const code = brotliDecompressSync(Buffer.from(BIVOUAC_MCP_LIBRARY, 'base64'));
  return (await import(`data:text/javascript;base64,${code.toString('base64')}`)) as Library;
}
