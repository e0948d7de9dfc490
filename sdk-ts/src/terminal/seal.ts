import type { SocketOpener } from './socket.js';

/** Which terminal is to be sealed, and what the server says of its host. */
export interface SealFacts {
  server: string;
  sandbox: string;
  terminal: string;
  /** Base64; absent when the server made or has a clear terminal. */
  hostKey: string | undefined;
  /** We asked for it ourselves, so nobody else can own it. */
  made: boolean;
}

/** End-to-end encryption of one terminal; `sealed()` of `@bivouac/sdk/sealed` makes it. */
export interface Seal {
  /** Base64: the key that is to own the terminal. */
  readonly publicKey: string;
  /** Checks the host's key, before anything is sent. */
  prepare(facts: SealFacts): Promise<(open: SocketOpener) => SocketOpener>;
}
