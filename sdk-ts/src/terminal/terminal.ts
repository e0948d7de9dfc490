import type { Transport } from '../http/transport.js';
import { PermissionService } from '../permissions/permission-service.js';
import type { PTYParams, PTYService } from '../sandbox/pty-service.js';
import { TerminalConnection, type TerminalState } from './connection.js';
import type { PermissionRequest, PermissionResolution } from './permission-request.js';
import type { Seal } from './seal.js';
import { socketOpener } from './socket.js';

/** A viewer only looks; an approver looks too, and is refused unless they may answer permission requests. */
export type TerminalRole = 'driver' | 'viewer' | 'approver';

export interface TerminalOptions extends Partial<PTYParams> {
  /** Attaches to this terminal instead of making one. */
  id?: string;
  role?: TerminalRole;
  /** Encrypts it end to end: what `sealed()` of `@bivouac/sdk/sealed` makes. */
  sealed?: Seal;
  /** Ends the attachment, not the terminal. */
  signal?: AbortSignal;
}

export interface TerminalExit {
  /** Minus n when signal n ended it. */
  exitCode: number;
}

/** What a terminal tells beside its output. */
export interface TerminalEvents {
  state: TerminalState;
  /** Another driver gave it another size. */
  resized: { cols: number; rows: number };
  /** These bytes are gone: nobody read them for too long. */
  gap: { from: number; to: number };
  /** A program asks whether it may do something. Who begins to listen hears of all that are open. */
  permission: PermissionRequest;
  /** Such a question has its answer. */
  permissionResolved: PermissionResolution;
}

type Listener<Name extends keyof TerminalEvents> = (value: TerminalEvents[Name]) => void;

/** Opens a terminal and returns when it is there. */
export async function openTerminal(transport: Transport, ptys: PTYService, options: TerminalOptions): Promise<Terminal> {
  const { id, role = 'driver', signal, sealed, ...params } = options;
  // A terminal that was just made is read from its first byte; one that was there shows its screen.
  const made = id === undefined ? await ptys.make({ cols: 80, rows: 24, ...params, ...(sealed && { publicKey: sealed.publicKey }) }, { signal }) : { id };
  const terminal = new Terminal(made.id, role, id === undefined, ptys, new PermissionService(transport));
  try {
    let opener = await socketOpener();
    if (sealed !== undefined) {
      const { hostKey } = 'protocols' in made ? made : await ptys.get(made.id, { signal });
      opener = (await sealed.prepare({ ...ptys.place(), terminal: made.id, hostKey, made: id === undefined }))(opener);
    }
    await terminal.connection.open(opener, transport, 'protocols' in made ? made : undefined, signal);
  } catch (failure) {
    terminal.close();
    // Nobody would know of a terminal that was made for us alone.
    if (id === undefined) await ptys.kill(made.id).catch(() => undefined);
    throw failure;
  }
  return terminal;
}

/**
 * A terminal in a sandbox: bytes out, bytes in. A lost connection is taken up by itself where it was: nothing is
 * shown twice, nothing typed twice. Reading slowly holds back this reader only.
 */
export class Terminal implements AsyncIterable<Uint8Array>, AsyncDisposable {
  /** @internal */
  readonly connection: TerminalConnection;
  private readonly listeners: { [Name in keyof TerminalEvents]?: Array<Listener<Name>> } = {};

  /** @internal */
  constructor(
    readonly id: string,
    readonly role: TerminalRole,
    private readonly isOurs: boolean,
    private readonly ptys: PTYService,
    permissions: PermissionService,
  ) {
    this.connection = new TerminalConnection(id, role, ptys, permissions, (name, value) => this.tell(name, value));
  }

  get state(): TerminalState {
    return this.connection.state;
  }

  /** Listens; the result ends that. */
  on<Name extends keyof TerminalEvents>(name: Name, listener: Listener<Name>): () => void {
    const present = (this.listeners[name] ??= []) as Array<Listener<Name>>;
    present.push(listener);
    if (name === 'permission') {
      for (const request of this.connection.questions.values()) (listener as Listener<'permission'>)(request);
    }
    return () => void present.splice(present.indexOf(listener), 1);
  }

  /** The next bytes of output; undefined when the terminal is over. */
  read(): Promise<Uint8Array | undefined> {
    return this.connection.output.next();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    for (let bytes = await this.read(); bytes !== undefined; bytes = await this.read()) yield bytes;
  }

  /** Types. Resolves when there is room for more. */
  write(data: string | Uint8Array): Promise<void> {
    return this.connection.type(typeof data === 'string' ? new TextEncoder().encode(data) : data);
  }

  resize(cols: number, rows: number): void {
    this.connection.resize(cols, rows);
  }

  /** Sends a signal to the program in the foreground. */
  signal(number: number): void {
    this.connection.signal(number);
  }

  /** How the program ended; waits until it does. */
  wait(): Promise<TerminalExit> {
    return this.connection.exit;
  }

  /** Leaves; the terminal goes on and can be attached to again. */
  close(): void {
    this.connection.close();
  }

  /** Ends the terminal and its program. */
  async kill(): Promise<void> {
    await this.ptys.kill(this.id);
  }

  /** Ends a terminal that was made by this call; one that was there before goes on. */
  async [Symbol.asyncDispose](): Promise<void> {
    const over = this.state === 'closed';
    this.close();
    if (!over && this.isOurs) await this.kill();
  }

  private tell<Name extends keyof TerminalEvents>(name: Name, value: TerminalEvents[Name]): void {
    for (const listener of [...((this.listeners[name] ?? []))]) listener(value);
  }
}
