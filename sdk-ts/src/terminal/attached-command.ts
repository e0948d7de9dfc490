import { errorOf } from '../errors/problem.js';
import { ConnectionError, TimeoutError } from '../errors/workspace-error.js';
import type { Transport } from '../http/transport.js';
import { decode, encode, FromClient, FromServer, json, LARGEST_INPUT, PROTOCOL, type Frame } from './frames.js';
import { socketOpener, type Socket } from './socket.js';

export interface AttachParams {
  cwd?: string;
  envs?: Record<string, string>;
  signal?: AbortSignal;
}

export interface OutputPiece {
  stream: 'stdout' | 'stderr';
  bytes: Uint8Array;
}

/** What the server may send before it was read. */
const WINDOW = 1024 * 1024;

/**
 * Input that the server has not passed on yet. Not more than the server keeps: it would stop reading, and what lets
 * the command go on writing comes by the same way.
 */
const MOST_UNANSWERED = 512 * 1024;

/** A command without a terminal: input goes in while it runs, both outputs come out, each reader at its pace. */
export class AttachedCommand implements AsyncIterable<OutputPiece> {
  private readonly pieces: OutputPiece[] = [];
  private readonly exit: Promise<{ exitCode: number }>;
  private settle!: { resolve(exit: { exitCode: number }): void; reject(failure: unknown): void };
  private readonly unanswered: Array<{ sequence: number; size: number }> = [];
  private unansweredBytes = 0;
  private sequence = 0;
  /** Writers come one after the other. */
  private turn: Promise<unknown> = Promise.resolve();
  private wake: (() => void) | undefined;
  private wakeWriter: (() => void) | undefined;
  private over = false;
  private failure: unknown;

  private constructor(private readonly socket: Socket) {
    this.exit = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    this.exit.catch(() => undefined);
    socket.onmessage = ({ data }) => this.receive(data as ArrayBuffer);
    socket.onclose = ({ code, reason }) => this.finish(new ConnectionError(`The connection was closed (${code} ${reason}).`));
  }

  static async open(transport: Transport, sandboxId: string, command: readonly string[], params: AttachParams): Promise<AttachedCommand> {
    const { signal } = params;
    signal?.throwIfAborted();
    const query = { command: located(command, params), tty: false };
    const url = transport.url(`/api/v1/sandboxes/${encodeURIComponent(sandboxId)}/exec/interactive`, query);
    const open = await socketOpener(true);
    const socket = open(url.href.replace(/^http/, 'ws'), [PROTOCOL], transport.authorization());
    socket.binaryType = 'arraybuffer';
    const attached = new AttachedCommand(socket);
    signal?.addEventListener('abort', () => attached.finish(signal.reason), { once: true });
    const { timeout } = transport.settings;
    const late = setTimeout(() => attached.finish(new TimeoutError(timeout)), timeout);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.onopen = () => resolve();
        socket.onrefused = (failure) => attached.finish(failure);
        // What ended it before, an abort or a refusal, is the reason; this is only what followed.
        socket.onerror = ((event: { message?: string }) =>
          reject(attached.failure ?? new ConnectionError(`Cannot attach to a command in ${sandboxId}: ${event.message ?? ''}`)));
      });
    } finally {
      clearTimeout(late);
    }
    socket.send(encode(FromClient.CREDIT, WINDOW));
    return attached;
  }

  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void> {
    const written = this.turn.then(() => this.pass(bytes));
    this.turn = written.catch(() => undefined);
    return written;
  }

  private async pass(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += LARGEST_INPUT) {
      const piece = bytes.subarray(at, at + LARGEST_INPUT);
      while (this.unansweredBytes + piece.length > MOST_UNANSWERED && !this.over) {
        await new Promise<void>((resolve) => (this.wakeWriter = resolve));
      }
      if (this.over) throw new ConnectionError('The command is over.');
      this.unanswered.push({ sequence: ++this.sequence, size: piece.length });
      this.unansweredBytes += piece.length;
      this.socket.send(encode(FromClient.INPUT, this.sequence, piece));
    }
  }

  /** No more input comes than what was written so far. */
  end(): void {
    void this.turn.then(() => {
      if (!this.over) this.socket.send(encode(FromClient.CONTROL, 0, '{"type":"end"}'));
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<OutputPiece, void, void> {
    for (;;) {
      const piece = this.pieces.shift();
      if (piece !== undefined) {
        yield piece;
        if (!this.over && piece.bytes.length > 0) this.socket.send(encode(FromClient.CREDIT, piece.bytes.length));
      } else if (this.over) {
        if (this.failure !== undefined) throw this.failure;
        return;
      } else {
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    }
  }

  /** How it ended; minus n when signal n ended it. */
  wait(): Promise<{ exitCode: number }> {
    return this.exit;
  }

  private receive(data: ArrayBuffer): void {
    const frame = decode(data);
    switch (frame?.type) {
      case FromServer.OUTPUT:
        this.add('stdout', frame);
        break;
      case FromServer.STDERR:
        this.add('stderr', frame);
        break;
      case FromServer.GAP: {
        const { from, to } = json(frame);
        this.finish(new ConnectionError(`${Number(to) - Number(from)} bytes of output were lost.`));
        break;
      }
      case FromServer.CONTROL: {
        const { type, sequence } = json(frame);
        if (type === 'applied') this.answered(Number(sequence));
        break;
      }
      case FromServer.EXIT:
        this.settle.resolve({ exitCode: Number(json(frame).exitCode) });
        this.finish(undefined);
        break;
      case FromServer.ERROR: {
        const { code, name, message } = json(frame);
        this.finish(errorOf(String(message), { code: Number(code), name: String(name) }));
        break;
      }
    }
  }

  private answered(sequence: number): void {
    while (this.unanswered[0] !== undefined && this.unanswered[0].sequence <= sequence) {
      this.unansweredBytes -= this.unanswered.shift()?.size ?? 0;
    }
    this.wakeWriter?.();
  }

  private add(stream: OutputPiece['stream'], frame: Frame): void {
    this.pieces.push({ stream, bytes: frame.payload });
    this.wake?.();
  }

  private finish(failure: unknown): void {
    if (this.over) return;
    this.over = true;
    this.failure = failure;
    if (failure !== undefined) this.settle.reject(failure);
    this.wake?.();
    this.wakeWriter?.();
    this.socket.close(1000);
  }
}

/** This door has no place for a folder and an environment; a shell inside has. */
function located(command: readonly string[], { cwd, envs }: AttachParams): string[] {
  const variables = Object.entries(envs ?? {}).map(([key, value]) => `${key}=${value}`);
  if (cwd === undefined && variables.length === 0) return [...command];
  return ['sh', '-c', 'cd -- "$0" && exec env -- "$@"', cwd ?? '.', ...variables, ...command];
}
