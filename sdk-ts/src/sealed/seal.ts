import { ConnectionError } from '../errors/workspace-error.js';
import { encode, FromClient } from '../terminal/frames.js';
import type { Seal, SealFacts } from '../terminal/seal.js';
import type { SocketOpener } from '../terminal/socket.js';
import type { TerminalRole } from '../terminal/terminal.js';
import { HostKeyChangedError, NotOwnerError, RefusedByHostError, TamperedError } from './errors.js';
import { decodeKey, fingerprint, SealKey } from './keys.js';
import { memoryPins, type PinStore } from './pins.js';
import { SealedSocket, type Standing } from './sealed-socket.js';

export interface SealOptions {
  /** Ours; a fresh one when absent, and then nobody can come back once this program has ended. */
  key?: SealKey;
  /** The host's key or its fingerprint, when it is known from elsewhere. It takes the place of a remembered one. */
  hostKey?: string;
  /** Where host keys are remembered from their first use on; in memory when absent. */
  pins?: PinStore;
  /** The public key of the owner whose terminal we visit. Without it, a terminal that is not ours is refused. */
  guestOf?: string;
}

/** One for each terminal: `sandbox.terminal({ sealed: sealed({ key }) })`. */
export function sealed(options: SealOptions = {}): TerminalSeal {
  return new TerminalSeal(options);
}

const processPins = memoryPins();

interface Question {
  resolve(): void;
  reject(failure: unknown): void;
}

export class TerminalSeal implements Seal {
  readonly key: SealKey;
  /** Base64; known when the terminal is open. */
  hostKey: string | undefined;
  standing: Standing | undefined;
  private socket: SealedSocket | undefined;
  private readonly questions = new Map<number, Question>();
  private asked = 0;

  constructor(private readonly options: SealOptions) {
    this.key = options.key ?? SealKey.generate();
  }

  get publicKey(): string {
    return this.key.publicKey;
  }

  /** The host's, to be compared with what is known from elsewhere. */
  get fingerprint(): string | undefined {
    return this.hostKey === undefined ? undefined : fingerprint(this.hostKey);
  }

  async prepare(facts: SealFacts): Promise<(open: SocketOpener) => SocketOpener> {
    const { hostKey } = facts;
    if (hostKey === undefined) throw new TamperedError('the server has a clear terminal where a sealed one was asked for');
    const { options } = this;
    if (facts.made && options.guestOf !== undefined) throw new NotOwnerError(this.key.fingerprint, fingerprint(options.guestOf));
    const pins = options.pins ?? processPins;
    const name = `${facts.server} ${facts.sandbox}`;
    const shown = fingerprint(hostKey);
    const remembered = await pins.get(name);
    const known = options.hostKey ?? remembered;
    const expected = known === undefined || known.startsWith('SHA256:') ? known : fingerprint(known);
    if (expected !== undefined && expected !== shown) throw new HostKeyChangedError(expected, shown);
    const plan = {
      key: this.key,
      hostKey: decodeKey(hostKey),
      terminal: facts.terminal,
      guestOf: options.guestOf,
      proven: (standing: Standing) => {
        this.hostKey = hostKey;
        this.standing = standing;
        // Who could not remember this key would have to believe the next one.
        if (remembered !== hostKey) void Promise.resolve(pins.put(name, hostKey)).catch((failure: unknown) => this.socket?.fail(failure));
      },
      answered: (message: Record<string, unknown>) => this.answered(message),
    };
    return (open) => (url, protocols, headers) => {
      const { searchParams } = new URL(url);
      const from = searchParams.get('from');
      const begin = {
        role: searchParams.get('role') ?? 'driver',
        source: searchParams.get('source') ?? 'sdk',
        ...(from === null ? {} : { from: Number(from) }),
      };
      this.drop();
      this.socket = new SealedSocket(open(url, protocols, headers), plan, begin);
      return this.socket;
    };
  }

  /** Lets another key in, to look or to type as well. Only the owner can. */
  admit(publicKey: string, role: TerminalRole = 'viewer'): Promise<void> {
    return this.ask({ type: 'admit', key: publicKey, role });
  }

  /** Takes a key's right away; whoever is attached with it is cut off. */
  dismiss(publicKey: string): Promise<void> {
    return this.ask({ type: 'dismiss', key: publicKey });
  }

  /** From now on the sandbox starts no command and no terminal for the server, until it is started anew. */
  lock(): Promise<void> {
    return this.ask({ type: 'lock' });
  }

  private ask(question: Record<string, unknown>): Promise<void> {
    const { socket } = this;
    if (socket === undefined || this.standing === undefined) return Promise.reject(new ConnectionError('The terminal is not open.'));
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.questions.set(id, { resolve, reject });
      socket.send(encode(FromClient.CONTROL, 0, JSON.stringify({ ...question, id })));
    });
  }

  private answered({ type, id, message }: Record<string, unknown>): void {
    const question = this.questions.get(Number(id));
    this.questions.delete(Number(id));
    if (type === 'done') question?.resolve();
    else question?.reject(new RefusedByHostError(String(message)));
  }

  /** What was asked over the former connection may or may not have been done. */
  private drop(): void {
    for (const question of this.questions.values()) question.reject(new ConnectionError('The connection was lost; ask again.'));
    this.questions.clear();
  }
}
