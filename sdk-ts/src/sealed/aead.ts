import { chacha20poly1305 } from '@noble/ciphers/chacha.js';

/** ChaCha20-Poly1305: what is sealed ends with a tag of 16 bytes. */
export interface Aead {
  seal(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, plain: Uint8Array): Uint8Array;
  /** Throws when it was not sealed so. */
  open(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, sealed: Uint8Array): Uint8Array;
}

/** Runs anywhere. */
export const portable: Aead = {
  seal: (key, nonce, associated, plain) => chacha20poly1305(key, nonce, associated).encrypt(plain),
  open: (key, nonce, associated, sealed) => chacha20poly1305(key, nonce, associated).decrypt(sealed),
};

const ALGORITHM = 'chacha20-poly1305';
const TAG = 16;

interface Stream {
  setAAD(bytes: Uint8Array): void;
  update(bytes: Uint8Array): Uint8Array;
  final(): Uint8Array;
  getAuthTag(): Uint8Array;
  setAuthTag(tag: Uint8Array): void;
}
type Make = (name: string, key: Uint8Array, nonce: Uint8Array, options: { authTagLength: number }) => Stream;

/** The part of Node's own cryptography that is used, where there is one. */
interface NodeCrypto {
  createCipheriv: Make;
  createDecipheriv: Make;
}

/** Node's is many times faster. Asked for this way, bundles for browsers need not leave anything out. */
function ofNode(): Aead | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => NodeCrypto | undefined } };
  const crypto = process?.getBuiltinModule?.('crypto');
  if (crypto === undefined) return undefined;
  const options = { authTagLength: TAG };
  return {
    seal(key, nonce, associated, plain) {
      const stream = crypto.createCipheriv(ALGORITHM, key, nonce, options);
      stream.setAAD(associated);
      const sealed = new Uint8Array(plain.length + TAG);
      sealed.set(stream.update(plain));
      stream.final();
      sealed.set(stream.getAuthTag(), plain.length);
      return sealed;
    },
    open(key, nonce, associated, sealed) {
      if (sealed.length < TAG) throw new Error('too short');
      const stream = crypto.createDecipheriv(ALGORITHM, key, nonce, options);
      stream.setAAD(associated);
      stream.setAuthTag(sealed.subarray(sealed.length - TAG));
      const plain = stream.update(sealed.subarray(0, sealed.length - TAG));
      // Nothing was authentic until here.
      stream.final();
      return plain;
    },
  };
}

export const fastest: Aead = ofNode() ?? portable;
