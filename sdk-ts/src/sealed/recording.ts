import { TamperedError } from './errors.js';
import { base64, type SealKey } from './keys.js';
import { openOneWay, type CipherState } from './noise.js';

/** A recording as its owner reads it. */
export interface OpenedRecording {
  /** Asciicast. */
  text: string;
  /** Whether the terminal's end is in it. */
  complete: boolean;
  /** Base64: who recorded it. */
  hostKey: string;
}

const BEGIN = 1;
const TEXT = 2;
const HEADER = 5;

/**
 * Opens what a sealed terminal's agent recorded for its owner. Throws when a part was changed, left out, repeated or
 * moved, or when another host than the expected one wrote it.
 */
export function openRecording(bytes: Uint8Array, options: { key: SealKey; terminal: string; hostKey?: string }): OpenedRecording {
  const prologue = new TextEncoder().encode(`bivouac.recording.v1 ${options.terminal}`);
  let expected = options.hostKey;
  let segment: CipherState | undefined;
  let end = 0;
  let text = '';
  for (const { kind, data } of records(bytes)) {
    if (kind === BEGIN) {
      const opened = attempt(() => openOneWay(options.key.pair, prologue, data));
      const sender = base64(opened.sender);
      if (expected !== undefined && expected !== sender) throw new TamperedError('another host wrote the recording');
      expected = sender;
      const { from } = JSON.parse(new TextDecoder().decode(opened.payload)) as { from: number };
      if (from !== end) throw new TamperedError(`a part of the recording begins at byte ${from} instead of ${end}`);
      segment = opened.receive;
    } else if (kind === TEXT && segment !== undefined) {
      const cipher = segment;
      const plain = attempt(() => cipher.open(data));
      end = Number(new DataView(plain.buffer, plain.byteOffset).getBigUint64(0));
      text += new TextDecoder().decode(plain.subarray(8));
    } else {
      throw new TamperedError('something in the recording is none of it');
    }
  }
  return { text, complete: /\n\[[\d.]+, "x", "-?\d+"\]\n$/.test(text), hostKey: expected ?? '' };
}

function* records(bytes: Uint8Array): Generator<{ kind: number; data: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const length = at + HEADER <= bytes.length ? view.getUint32(at + 1) : Infinity;
    if (at + HEADER + length > bytes.length) throw new TamperedError('the recording ends within a part');
    yield { kind: view.getUint8(at), data: bytes.subarray(at + HEADER, at + HEADER + length) };
    at += HEADER + length;
  }
}

function attempt<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    throw new TamperedError('a part of the recording does not open with this key', cause);
  }
}
