import { errorOf } from '../errors/problem.js';
import { ConnectionError, TimeoutError, WorkspaceError } from '../errors/workspace-error.js';
import { pause, sleep } from '../http/retry-timing.js';
import type { Transport } from '../http/transport.js';
import type { PermissionService } from '../permissions/permission-service.js';
import type { PTYHandle, PTYService } from '../sandbox/pty-service.js';
import { decode, encode, FromClient, FromServer, json, type Frame } from './frames.js';
import { InputLine } from './input-line.js';
import { OutputLine } from './output-line.js';
import { PermissionRequest, type PermissionResolution } from './permission-request.js';
import type { Socket, SocketOpener } from './socket.js';
import type { TerminalEvents, TerminalExit, TerminalRole } from './terminal.js';

export type TerminalState = 'connecting' | 'open' | 'reconnecting' | 'closed';

/** From asking for a connection until the terminal answers. */
const ATTACH_TIMEOUT = 20_000;

/** A line that is silent this long is tried with a ping, and given up when that is not answered either. */
const SILENCE = 20_000;

/** How long a terminal is sought before it is given up. */
const SEARCH_TIMEOUT = 10 * 60_000;

/** What may be another answer in a moment. */
const PASSING = [408, 429];

/** The error of a frame that was not understood; the session goes on. */
const INVALID_REQUEST = 1003;

type Tell = <Name extends keyof TerminalEvents>(name: Name, value: TerminalEvents[Name]) => void;

/** One client's attachment to one terminal, over as many sockets as it takes. */
export class TerminalConnection {
  readonly output = new OutputLine((bytes) => this.send(encode(FromClient.CREDIT, bytes)));
  readonly exit: Promise<TerminalExit>;
  state: TerminalState = 'connecting';
  /** Questions of the terminal's programs that have no answer yet. */
  readonly questions = new Map<string, PermissionRequest>();
  private readonly input = new InputLine();
  /** Under this name the agent counts what we type, whichever socket it comes by. */
  private readonly source = `sdk-${crypto.randomUUID()}`;
  private socket: Socket | undefined;
  private address = '';
  private next: number | undefined;
  private size: { cols: number; rows: number } | undefined;
  private watch: ReturnType<typeof setInterval> | undefined;
  private heard = 0;
  /** Ends a socket that is not attached yet. */
  private giveUp: ((failure: unknown) => void) | undefined;
  private ended: unknown;
  private settle!: { resolve(exit: TerminalExit): void; reject(failure: unknown): void };

  constructor(
    private readonly id: string,
    private readonly role: TerminalRole,
    private readonly ptys: PTYService,
    private readonly permissions: PermissionService,
    private readonly tell: Tell,
  ) {
    this.exit = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    // Who does not wait for the exit must not be ended by it.
    this.exit.catch(() => undefined);
  }

  async open(opener: SocketOpener, transport: Transport, made: PTYHandle | undefined, signal?: AbortSignal): Promise<void> {
    // By the way that we came, which may be another than the server knows of itself.
    this.address = transport.url(this.ptys.path(this.id, '/ws')).href.replace(/^http/, 'ws');
    if (made !== undefined) this.next = 0;
    signal?.addEventListener('abort', () => this.finish(signal.reason), { once: true });
    signal?.throwIfAborted();
    await this.attach(opener, made?.protocols);
  }

  private async attach(opener: SocketOpener, protocols?: string[]): Promise<void> {
    const asked = protocols ?? (await this.ptys.ticket(this.id)).protocols;
    // It may have been left meanwhile, here and at each later step.
    if (this.isClosed()) throw this.ended;
    const url = new URL(this.address);
    url.searchParams.set('role', this.role);
    url.searchParams.set('source', this.source);
    if (this.next !== undefined) url.searchParams.set('from', String(this.next));
    const socket = opener(url.href, asked);
    socket.binaryType = 'arraybuffer';
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        socket.close();
        reject(new TimeoutError(ATTACH_TIMEOUT));
      }, ATTACH_TIMEOUT);
      const settled = (act: () => void): void => {
        clearTimeout(late);
        this.giveUp = undefined;
        act();
      };
      this.giveUp = (failure) => {
        settled(() => reject(failure));
        socket.close();
      };
      socket.onopen = () => {
        if (this.isClosed()) return;
        this.socket = socket;
        this.send(encode(FromClient.CREDIT, this.output.room()));
      };
      socket.onmessage = ({ data }) => this.receive(socket, data as ArrayBuffer, () => settled(resolve));
      socket.onfailure = (failure) => {
        settled(() => reject(failure));
        this.finish(failure);
      };
      // What went wrong comes with the close that follows.
      socket.onerror = () => undefined;
      socket.onclose = ({ code, reason }) => {
        settled(() => reject(new ConnectionError(`The terminal's connection was closed (${code} ${reason}).`)));
        this.lost(socket, opener);
      };
    });
  }

  private receive(socket: Socket, data: ArrayBuffer, attached: () => void): void {
    const frame = decode(data);
    if (frame === undefined || socket !== this.socket) return;
    this.heard = Date.now();
    switch (frame.type) {
      case FromServer.OUTPUT:
      case FromServer.STDERR:
        this.next = frame.number + frame.payload.length;
        this.output.add(frame.payload);
        break;
      case FromServer.SCREEN:
        this.next = frame.number;
        this.output.add(frame.payload);
        break;
      case FromServer.GAP:
        this.gap(json(frame) as unknown as TerminalEvents['gap']);
        break;
      case FromServer.CONTROL:
        this.control(json(frame), attached);
        break;
      case FromServer.EXIT:
        this.finish(undefined, { exitCode: Number(json(frame).exitCode) });
        break;
      case FromServer.ERROR:
        this.failed(frame);
        break;
      // A newer server may say more than we know.
    }
  }

  private gap(gap: TerminalEvents['gap']): void {
    this.next = gap.to;
    this.tell('gap', gap);
  }

  private control(message: Record<string, unknown>, attached: () => void): void {
    switch (message.type) {
      case 'attached':
        this.input.restart(Number(message.applied));
        this.sendInput();
        if (this.size !== undefined) this.sendSize(this.size);
        this.become('open');
        this.keepWatch();
        attached();
        break;
      case 'applied':
        this.input.applied(Number(message.sequence));
        this.sendInput();
        break;
      case 'resized':
        this.tell('resized', { cols: Number(message.cols), rows: Number(message.rows) });
        break;
      case 'permission_request':
        this.asked(new PermissionRequest(message, this.permissions));
        break;
      case 'permission_resolved':
        this.resolved(message as unknown as PermissionResolution);
        break;
    }
  }

  private asked(request: PermissionRequest): void {
    // After a reconnect the server says again what is open.
    if (this.questions.has(request.requestId)) return;
    this.questions.set(request.requestId, request);
    this.tell('permission', request);
  }

  private resolved({ requestId, granted, decidedBy, reason, expiresAt }: PermissionResolution): void {
    this.questions.delete(requestId);
    this.tell('permissionResolved', {
      requestId,
      granted,
      ...(decidedBy === undefined ? {} : { decidedBy }),
      ...(reason === undefined ? {} : { reason }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
  }

  private failed(frame: Frame): void {
    const { code, name, message } = json(frame);
    if (code === INVALID_REQUEST) return;
    this.finish(errorOf(String(message), { code: Number(code), name: String(name) }));
  }

  /** The socket is gone. Unless it was meant to be, another one is sought. */
  private lost(socket: Socket, opener: SocketOpener): void {
    if (socket !== this.socket || this.state !== 'open') return;
    this.socket = undefined;
    clearInterval(this.watch);
    this.become('reconnecting');
    void this.search(opener);
  }

  private async search(opener: SocketOpener): Promise<void> {
    const deadline = Date.now() + SEARCH_TIMEOUT;
    for (let attempt = 0; this.state === 'reconnecting'; attempt++) {
      try {
        await this.attach(opener);
        return;
      } catch (failure) {
        const status = failure instanceof WorkspaceError ? failure.status : undefined;
        const lasting = status !== undefined && status < 500 && !PASSING.includes(status);
        if (lasting || Date.now() > deadline) { this.finish(failure); return; }
        await sleep(pause(attempt, undefined));
      }
    }
  }

  /** A broken line is not always told: what does not answer is closed, and sought again. */
  private keepWatch(): void {
    this.heard = Date.now();
    clearInterval(this.watch);
    this.watch = setInterval(() => {
      const silent = Date.now() - this.heard;
      if (silent > 2 * SILENCE) this.socket?.close();
      else if (silent > SILENCE) this.send(encode(FromClient.CONTROL, 0, '{"type":"ping"}'));
    }, SILENCE / 2);
    // In Node, waiting for a quiet terminal must not by itself keep the program alive.
    (this.watch as { unref?: () => void }).unref?.();
  }

  type(data: Uint8Array): Promise<void> {
    if (this.state === 'closed') return Promise.reject(new ConnectionError('The terminal is closed.'));
    this.input.add(data);
    if (this.state === 'open') this.sendInput();
    return this.input.room();
  }

  private sendInput(): void {
    for (const { sequence, data } of this.input.due()) this.send(encode(FromClient.INPUT, sequence, data));
  }

  resize(cols: number, rows: number): void {
    this.size = { cols, rows };
    if (this.state === 'open') this.sendSize(this.size);
  }

  private sendSize(size: { cols: number; rows: number }): void {
    this.send(encode(FromClient.RESIZE, 0, JSON.stringify(size)));
  }

  signal(number: number): void {
    this.send(encode(FromClient.SIGNAL, number));
  }

  close(): void {
    this.finish(new ConnectionError('The terminal was left.'));
  }

  private send(frame: Uint8Array<ArrayBuffer>): void {
    this.socket?.send(frame);
  }

  private finish(failure: unknown, exit?: TerminalExit): void {
    if (this.isClosed()) return;
    const socket = this.socket;
    this.ended = failure ?? new ConnectionError('The terminal is over.');
    this.socket = undefined;
    clearInterval(this.watch);
    this.become('closed');
    this.input.release();
    if (exit !== undefined) this.settle.resolve(exit);
    else this.settle.reject(failure);
    // Who left on purpose simply has no more to read.
    this.output.end(exit !== undefined || failure instanceof ConnectionError ? undefined : failure);
    socket?.close(1000);
    this.giveUp?.(this.ended);
  }

  private isClosed(): boolean {
    return this.state === 'closed';
  }

  private become(state: TerminalState): void {
    this.state = state;
    this.tell('state', state);
  }
}
