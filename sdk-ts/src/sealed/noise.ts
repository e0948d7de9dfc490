import { x25519 } from '@noble/curves/ed25519.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fastest, type Aead } from './aead.js';

/**
 * Noise with X25519, ChaCha20-Poly1305 and SHA-256, as much of revision 34 as sealed terminals use: the pattern IK on
 * the initiator's side, and X, whose one message is IK's first, on the receiving side.
 */
const KEY = 32;
const TAG = 16;

export interface KeyPair {
  privateKey: Uint8Array;
  publicKey: Uint8Array;
}

export function keyPairOf(privateKey: Uint8Array): KeyPair {
  return { privateKey, publicKey: x25519.getPublicKey(privateKey) };
}

export function newKeyPair(): KeyPair {
  return keyPairOf(x25519.utils.randomSecretKey());
}

/** One direction of a channel: a key and a counter that never goes back. */
export class CipherState {
  count = 0;

  constructor(
    private key: Uint8Array,
    private readonly aead: Aead = fastest,
  ) {}

  seal(plain: Uint8Array, associated: Uint8Array = NOTHING): Uint8Array {
    return this.aead.seal(this.key, nonce(this.count++), associated, plain);
  }

  /** Throws when it was changed, or is not the message that comes next. */
  open(sealed: Uint8Array, associated: Uint8Array = NOTHING): Uint8Array {
    const plain = this.aead.open(this.key, nonce(this.count), associated, sealed);
    this.count++;
    return plain;
  }

  /** What was sealed before stays closed to whoever learns the new key. */
  rekey(): void {
    const last = new Uint8Array(12).fill(0xff, 4);
    this.key = this.aead.seal(this.key, last, NOTHING, new Uint8Array(KEY)).slice(0, KEY);
  }
}

const NOTHING = new Uint8Array(0);

/** Four zero bytes and the counter, little-endian. */
function nonce(count: number): Uint8Array {
  const bytes = new Uint8Array(12);
  new DataView(bytes.buffer).setBigUint64(4, BigInt(count), true);
  return bytes;
}

/** The transcript and the key that grows from it. */
class SymmetricState {
  hash: Uint8Array;
  private chaining: Uint8Array;
  private cipher: CipherState | undefined;

  constructor(protocol: string, prologue: Uint8Array) {
    const name = new TextEncoder().encode(protocol);
    this.hash = name.length <= KEY ? joined(name, new Uint8Array(KEY - name.length)) : sha256(name);
    this.chaining = this.hash;
    this.mixHash(prologue);
  }

  mixHash(data: Uint8Array): void {
    this.hash = sha256(joined(this.hash, data));
  }

  mixKey(shared: Uint8Array): void {
    const [chaining, key] = this.derive(shared);
    this.chaining = chaining;
    this.cipher = new CipherState(key);
  }

  seal(plain: Uint8Array): Uint8Array {
    const sealed = this.cipher === undefined ? plain : this.cipher.seal(plain, this.hash);
    this.mixHash(sealed);
    return sealed;
  }

  open(sealed: Uint8Array): Uint8Array {
    const plain = this.cipher === undefined ? sealed : this.cipher.open(sealed, this.hash);
    this.mixHash(sealed);
    return plain;
  }

  /** The initiator's direction first. */
  split(): [CipherState, CipherState] {
    const [first, second] = this.derive(NOTHING);
    return [new CipherState(first), new CipherState(second)];
  }

  private derive(input: Uint8Array): [Uint8Array, Uint8Array] {
    const secret = hmac(sha256, this.chaining, input);
    const first = hmac(sha256, secret, Uint8Array.of(1));
    return [first, hmac(sha256, secret, joined(first, Uint8Array.of(2)))];
  }
}

export interface Channel {
  send: CipherState;
  receive: CipherState;
}

/** The initiator of `Noise_IK_25519_ChaChaPoly_SHA256`: it knows the host's key, and the host learns its own. */
export class Initiator {
  private readonly symmetric: SymmetricState;

  /** @param ephemeral given only to check against published vectors */
  constructor(
    private readonly own: KeyPair,
    private readonly host: Uint8Array,
    prologue: Uint8Array,
    private readonly ephemeral: KeyPair = newKeyPair(),
  ) {
    this.symmetric = new SymmetricState('Noise_IK_25519_ChaChaPoly_SHA256', prologue);
    this.symmetric.mixHash(host);
  }

  get handshakeHash(): Uint8Array {
    return this.symmetric.hash;
  }

  /** e, es, s, ss */
  first(payload: Uint8Array = NOTHING): Uint8Array {
    const { symmetric, own, host, ephemeral } = this;
    symmetric.mixHash(ephemeral.publicKey);
    symmetric.mixKey(x25519.getSharedSecret(ephemeral.privateKey, host));
    const sealedKey = symmetric.seal(own.publicKey);
    symmetric.mixKey(x25519.getSharedSecret(own.privateKey, host));
    return joined(ephemeral.publicKey, sealedKey, symmetric.seal(payload));
  }

  /** e, ee, se: only who has the host's key could have written it. */
  second(message: Uint8Array): Channel & { payload: Uint8Array } {
    const { symmetric, own, ephemeral } = this;
    const theirs = message.subarray(0, KEY);
    symmetric.mixHash(theirs);
    symmetric.mixKey(x25519.getSharedSecret(ephemeral.privateKey, theirs));
    symmetric.mixKey(x25519.getSharedSecret(own.privateKey, theirs));
    const payload = symmetric.open(message.subarray(KEY));
    const [send, receive] = symmetric.split();
    return { send, receive, payload };
  }
}

/** Opens what was sealed to our key alone: `Noise_X_25519_ChaChaPoly_SHA256`. Gives who sealed it, too. */
export function openOneWay(own: KeyPair, prologue: Uint8Array, message: Uint8Array): { sender: Uint8Array; payload: Uint8Array; receive: CipherState; hash: Uint8Array } {
  const symmetric = new SymmetricState('Noise_X_25519_ChaChaPoly_SHA256', prologue);
  symmetric.mixHash(own.publicKey);
  const ephemeral = message.subarray(0, KEY);
  symmetric.mixHash(ephemeral);
  symmetric.mixKey(x25519.getSharedSecret(own.privateKey, ephemeral));
  const sender = symmetric.open(message.subarray(KEY, KEY + KEY + TAG));
  symmetric.mixKey(x25519.getSharedSecret(own.privateKey, sender));
  const payload = symmetric.open(message.subarray(KEY + KEY + TAG));
  const [receive] = symmetric.split();
  return { sender, payload, receive, hash: symmetric.hash };
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
