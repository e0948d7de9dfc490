import { sha256 } from '@noble/hashes/sha2.js';
import { keyPairOf, newKeyPair, type KeyPair } from './noise.js';

const LENGTH = 32;

/** A client's own key. Who keeps its text can come back to its sealed terminals and open their recordings. */
export class SealKey {
  private constructor(
    /** @internal */
    readonly pair: KeyPair,
  ) {}

  static generate(): SealKey {
    return new SealKey(newKeyPair());
  }

  /** From the text that `secret()` gave. */
  static from(secret: string): SealKey {
    return new SealKey(keyPairOf(decodeKey(secret)));
  }

  /** Base64; whoever has it is the owner. */
  secret(): string {
    return base64(this.pair.privateKey);
  }

  /** Base64; what an owner admits. */
  get publicKey(): string {
    return base64(this.pair.publicKey);
  }

  get fingerprint(): string {
    return fingerprint(this.pair.publicKey);
  }
}

/** In the form that people know from SSH; short enough to be read out. */
export function fingerprint(key: string | Uint8Array): string {
  const bytes = typeof key === 'string' ? decodeKey(key) : key;
  return `SHA256:${base64(sha256(bytes)).replace(/=+$/, '')}`;
}

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function decodeKey(text: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    throw new TypeError('A key is base64.');
  }
  if (bytes.length !== LENGTH) throw new TypeError(`A key has ${LENGTH} bytes.`);
  return bytes;
}
