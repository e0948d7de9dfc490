import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fastest, portable } from '../src/sealed/aead.js';
import { CipherState, Initiator, keyPairOf, openOneWay } from '../src/sealed/noise.js';

interface Vector {
  protocol_name: string;
  init_prologue: string;
  init_static: string;
  init_ephemeral: string;
  init_remote_static: string;
  resp_static: string;
  handshake_hash: string;
  messages: Array<{ payload: string; ciphertext: string }>;
}

// The same file that the agent's own tests read.
const { vectors } = JSON.parse(readFileSync(join(import.meta.dirname, '../../agent/tests/vectors/noise.json'), 'utf8')) as { vectors: Vector[] };

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');

function vector(name: string): Vector & { rest: Vector['messages'] } {
  const found = vectors.find((one) => one.protocol_name === name);
  if (found === undefined) throw new Error(`no vector for ${name}`);
  return { ...found, rest: found.messages };
}

test('IK as the initiator says and hears what the published vector has', () => {
  const published = vector('Noise_IK_25519_ChaChaPoly_SHA256');
  const initiator = new Initiator(
    keyPairOf(bytes(published.init_static)),
    bytes(published.init_remote_static),
    bytes(published.init_prologue),
    keyPairOf(bytes(published.init_ephemeral)),
  );
  const [first, second, ...rest] = published.messages;
  expect(hex(initiator.first(bytes(first?.payload ?? '')))).toBe(first?.ciphertext);
  const channel = initiator.second(bytes(second?.ciphertext ?? ''));
  expect(hex(channel.payload)).toBe(second?.payload);
  expect(hex(initiator.handshakeHash)).toBe(published.handshake_hash);
  rest.forEach(({ payload, ciphertext }, turn) => {
    if (turn % 2 === 0) expect(hex(channel.send.seal(bytes(payload)))).toBe(ciphertext);
    else expect(hex(channel.receive.open(bytes(ciphertext)))).toBe(payload);
  });
  expect(rest.length).toBeGreaterThan(3);
});

test('X opens what the published vector seals', () => {
  const published = vector('Noise_X_25519_ChaChaPoly_SHA256');
  const [first, ...rest] = published.messages;
  const opened = openOneWay(keyPairOf(bytes(published.resp_static)), bytes(published.init_prologue), bytes(first?.ciphertext ?? ''));
  expect(hex(opened.payload)).toBe(first?.payload);
  expect(hex(opened.sender)).toBe(hex(keyPairOf(bytes(published.init_static)).publicKey));
  expect(hex(opened.hash)).toBe(published.handshake_hash);
  for (const { payload, ciphertext } of rest) expect(hex(opened.receive.open(bytes(ciphertext)))).toBe(payload);
});

test('both ciphers, Node\'s and the portable one, are the same', () => {
  expect(fastest).not.toBe(portable);
  const key = new Uint8Array(32).fill(9);
  const [from, to] = [new CipherState(key, portable), new CipherState(key, fastest)];
  for (const length of [0, 1, 63, 64, 65, 60_000]) {
    const plain = new Uint8Array(length).fill(length);
    const words = bytes('0a0b0c');
    const [one, other] = [from.seal(plain, words), to.seal(plain, words)];
    expect(hex(one)).toBe(hex(other));
    from.rekey();
    to.rekey();
  }
  for (const [near, far] of [[fastest, portable], [portable, fastest]]) {
    expect(hex(new CipherState(key, far).open(new CipherState(key, near).seal(bytes('ff'))))).toBe('ff');
  }
});

test('a message that is changed, repeated or left out does not open, and a replaced key is another one', () => {
  const key = new Uint8Array(32).fill(7);
  const from = new CipherState(key);
  const [one, two] = [from.seal(bytes('01')), from.seal(bytes('02'))];
  expect(() => new CipherState(key).open(two)).toThrow();
  const to = new CipherState(key);
  const changed = one.slice();
  changed[0] = (changed[0] ?? 0) ^ 1;
  expect(() => to.open(changed)).toThrow();
  expect(hex(to.open(one))).toBe('01');
  expect(() => to.open(one)).toThrow();
  from.rekey();
  const three = from.seal(bytes('03'));
  expect(hex(to.open(two))).toBe('02');
  expect(() => to.open(three)).toThrow();
  to.rekey();
  expect(hex(to.open(three))).toBe('03');
});
