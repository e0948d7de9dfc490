/**
 * `bivouac.terminal.v1`, the whole vocabulary: one byte of type, eight of a number (big-endian), then bytes.
 * docs/terminal-protocol.md is the authority.
 */
export const PROTOCOL = 'bivouac.terminal.v1';

/** What a plain WebSocket asks for: messages as JSON text. */
export const JSON_PROTOCOL = 'bivouac.json';

/** What the server sends. */
export const FromServer = { OUTPUT: 1, EXIT: 2, ERROR: 3, GAP: 4, CONTROL: 5, SEALED: 6, SCREEN: 7, STDERR: 8 } as const;

/** What a client sends. */
export const FromClient = { INPUT: 65, RESIZE: 66, SIGNAL: 67, CREDIT: 68, CONTROL: 69, SEALED: 70 } as const;

const HEADER = 9;

/** The largest piece of input that the server takes at once. */
export const LARGEST_INPUT = 64 * 1024;

export interface Frame {
  type: number;
  /** An offset, a sequence or an amount; offsets stay exact up to 2^53. */
  number: number;
  payload: Uint8Array;
}

export function encode(type: number, number: number, payload: Uint8Array | string = ''): Uint8Array<ArrayBuffer> {
  const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
  const frame = new Uint8Array(HEADER + bytes.length);
  frame[0] = type;
  new DataView(frame.buffer).setBigUint64(1, BigInt(number));
  frame.set(bytes, HEADER);
  return frame;
}

/** Undefined for what is too short to be a frame. */
export function decode(data: ArrayBuffer): Frame | undefined {
  if (data.byteLength < HEADER) return undefined;
  const view = new DataView(data);
  return { type: view.getUint8(0), number: Number(view.getBigUint64(1)), payload: new Uint8Array(data, HEADER) };
}

export function json(frame: Frame): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(frame.payload)) as Record<string, unknown>;
}
