import { decode, encode, FromClient, FromServer, json, type Frame } from '../terminal/frames.js';
import type { Socket } from '../terminal/socket.js';
import { NotOwnerError, TamperedError } from './errors.js';
import { fingerprint, type SealKey } from './keys.js';
import { Initiator, type Channel } from './noise.js';

/** Both directions take new keys after so many bytes. */
export const REKEY_AFTER = 16 * 1024 * 1024;

/** Sealed bytes that were no output are paid for when they are so many. */
const CREDIT_STEP = 16 * 1024;

/** A screen's pieces together. */
const LARGEST_SCREEN = 4 * 1024 * 1024;

/** A piece of a screen that is too large for one message; the screen's own frame follows the last. */
const SCREEN_PART = 9;

export type Standing = 'owner' | 'admitted';

/** What one connection is to be. */
export interface SealPlan {
  key: SealKey;
  hostKey: Uint8Array;
  terminal: string;
  /** The owner's public key, when we come as somebody's guest. */
  guestOf: string | undefined;
  /** The host has proven its key. */
  proven(standing: Standing): void;
  /** An answer to what the owner asked of the host. */
  answered(message: Record<string, unknown>): void;
}

/**
 * A WebSocket to whoever speaks `bivouac.terminal.v1`, through which only sealed messages pass. Inside it is the same
 * protocol; credit stays outside, for the server that holds the bytes back.
 */
export class SealedSocket implements Socket {
  binaryType = 'arraybuffer';
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;
  onfailure: ((failure: unknown) => void) | null = null;
  private readonly handshake: Initiator;
  private channel: Channel | undefined;
  private sent = 0;
  private received = 0;
  private unpaid = 0;
  private screen: Uint8Array[] = [];
  private hint = '';
  private failed = false;

  constructor(
    private readonly inner: Socket,
    private readonly plan: SealPlan,
    private readonly begin: Record<string, unknown>,
  ) {
    const prologue = new TextEncoder().encode(`bivouac.sealed.v1 ${plan.terminal}`);
    this.handshake = new Initiator(plan.key.pair, plan.hostKey, prologue);
    inner.binaryType = 'arraybuffer';
    inner.onopen = (event) => {
      inner.send(encode(FromClient.SEALED, 0, this.handshake.first()));
      this.onopen?.(event);
    };
    inner.onmessage = ({ data }) => this.guard(() => this.hear(data as ArrayBuffer));
    inner.onerror = (event) => this.onerror?.(event);
    inner.onclose = ({ code, reason }) => this.onclose?.({ code, reason: reason === '' ? this.hint : reason });
  }

  send(frame: Uint8Array<ArrayBuffer>): void {
    if (frame[0] === FromClient.CREDIT) {
      const credit = decode(frame.buffer)?.number ?? 0;
      this.inner.send(encode(FromClient.CREDIT, credit + this.unpaid));
      this.unpaid = 0;
      return;
    }
    const { channel } = this;
    if (channel === undefined || this.failed) return;
    const number = channel.send.count + 1;
    const sealed = channel.send.seal(frame);
    this.sent += sealed.length;
    if (this.sent >= REKEY_AFTER) {
      this.sent = 0;
      channel.send.rekey();
    }
    this.inner.send(encode(FromClient.SEALED, number, sealed));
  }

  close(code?: number, reason?: string): void {
    this.inner.close(code, reason);
  }

  private guard(act: () => void): void {
    if (this.failed) return;
    try {
      act();
    } catch (failure) {
      this.fail(failure);
    }
  }

  /** Ends it for good: nothing that comes after this is believed. */
  fail(failure: unknown): void {
    this.failed = true;
    this.onfailure?.(failure);
    this.inner.close(1000);
  }

  private hear(data: ArrayBuffer): void {
    const frame = decode(data);
    if (frame === undefined) throw new TamperedError('a message that is no frame');
    if (frame.type === FromServer.ERROR) {
      // Anybody on the way can say this, so it is never more than a hint why the connection ends.
      this.hint = String(json(frame).message);
      return;
    }
    if (frame.type !== FromServer.SEALED) throw new TamperedError('a message that is not sealed');
    if (this.channel === undefined) this.shaken(frame);
    else this.opened(this.open(frame, this.channel), frame.payload.length);
  }

  private shaken(frame: Frame): void {
    if (frame.number !== 0) throw new TamperedError(`message ${frame.number} came where 0 was due`);
    let answer: ReturnType<Initiator['second']>;
    try {
      answer = this.handshake.second(frame.payload);
    } catch (cause) {
      throw new TamperedError('whoever answered does not have the host key', cause);
    }
    const told = JSON.parse(new TextDecoder().decode(answer.payload)) as { standing: string; owner?: string };
    const { plan } = this;
    const mine = told.standing === 'owner' || (told.standing === 'free' && plan.guestOf === undefined);
    const guest = told.standing === 'admitted' && plan.guestOf !== undefined && told.owner === plan.guestOf;
    if (!mine && !guest) throw new NotOwnerError(plan.key.fingerprint, told.owner === undefined ? undefined : fingerprint(told.owner));
    this.channel = answer;
    plan.proven(mine ? 'owner' : 'admitted');
    this.send(encode(FromClient.CONTROL, 0, JSON.stringify({ type: 'begin', ...this.begin })));
  }

  private open(frame: Frame, { receive }: Channel): Uint8Array<ArrayBuffer> {
    const due = receive.count + 1;
    if (frame.number !== due) throw new TamperedError(`message ${frame.number} came where ${due} was due`);
    let plain: Uint8Array;
    try {
      plain = receive.open(frame.payload);
    } catch (cause) {
      throw new TamperedError(`message ${due} was changed`, cause);
    }
    this.received += frame.payload.length;
    if (this.received >= REKEY_AFTER) {
      this.received = 0;
      receive.rekey();
    }
    return plain.slice();
  }

  private opened(plain: Uint8Array<ArrayBuffer>, sealedLength: number): void {
    const frame = decode(plain.buffer);
    if (frame === undefined) throw new TamperedError('a sealed message that is no frame');
    // The reader pays for what it reads, this for the rest.
    const read = frame.type === FromServer.OUTPUT || frame.type === SCREEN_PART ? frame.payload.length : 0;
    this.unpaid += sealedLength - read;
    if (this.unpaid >= CREDIT_STEP) this.send(encode(FromClient.CREDIT, 0));
    if (frame.type === SCREEN_PART) {
      this.screen.push(frame.payload);
      if (total(this.screen) > LARGEST_SCREEN) throw new TamperedError('a screen that is too large');
    } else if (frame.type === FromServer.SCREEN) {
      const whole = joined(this.screen);
      this.screen = [];
      this.onmessage?.({ data: encode(FromServer.SCREEN, frame.number, whole).buffer });
    } else if (frame.type === FromServer.CONTROL && ['done', 'refused'].includes(String(json(frame).type))) {
      this.plan.answered(json(frame));
    } else {
      this.onmessage?.({ data: plain.buffer });
    }
  }
}

function total(parts: readonly Uint8Array[]): number {
  return parts.reduce((length, part) => length + part.length, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(total(parts));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
