import type { Permission, Sandbox, WorkspaceClient } from '@bivouac/sdk';
import type { Context } from './command.js';
import { answered, byKey, keysOf, question, questions } from './questions.js';

const CTRL_C = '\u0003';

/** Told of each question, and of what became of it; `\r\n` because the terminal may be raw. */
export type Tell = (line: string) => void;

/** What programs of a sandbox ask while somebody sits at a command of it, above all for closed hosts. */
export class Consent {
  readonly #ending = new AbortController();
  readonly #waiting: Permission[] = [];
  readonly #client: WorkspaceClient;

  /**
   * @param asked called when a question has become the first one that waits
   */
  private constructor(
    context: Context,
    sandbox: Sandbox,
    private readonly tell: Tell,
    private readonly asked: () => void,
  ) {
    this.#client = context.client();
    void this.#follow(sandbox, AbortSignal.any([context.signal, this.#ending.signal]));
  }

  static begin(context: Context, sandbox: Sandbox, tell: Tell, asked: () => void): Consent {
    return new Consent(context, sandbox, tell, asked);
  }

  /** The question that an answer is for. */
  get first(): Permission | undefined {
    return this.#waiting[0];
  }

  /** Takes a key for the first question; one that stands for no answer leaves it open. */
  async answer(key: string): Promise<void> {
    const item = this.first;
    const answer = item === undefined ? undefined : byKey(item, key);
    if (item === undefined || answer === undefined) return;
    this.#waiting.shift();
    try {
      this.tell(await answered(this.#client, item, answer, this.#ending.signal));
    } catch (failure) {
      if (!this.#ending.signal.aborted) this.tell(failure instanceof Error ? failure.message : String(failure));
    }
    if (this.first !== undefined) this.asked();
  }

  /** Nobody answers here any more. */
  end(): void {
    this.#ending.abort();
  }

  async #follow(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    try {
      // Requests name a sandbox by its id, whatever it was called by.
      const { id } = await this.#client.sandbox.get(sandbox.id, { signal });
      for await (const item of questions(this.#client, signal, id)) {
        this.tell(question(item));
        this.#waiting.push(item);
        if (this.first === item) this.asked();
      }
    } catch {
      // Whoever may not answer, or is cut off, works on: the command tells what is wrong with it, and closed hosts say how to open them.
    }
  }
}

/** For a command without a terminal of its own: each question is answered with the next key that is pressed. */
export function consentByKey(context: Context, sandbox: Sandbox): Consent | undefined {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY || context.output.json) return undefined;
  const tell = (line: string): void => context.output.note(`[${line}]`);
  const pressed = (bytes: Buffer): void => {
    const key = bytes.toString();
    // The terminal does not make a signal of it now.
    if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
    void consent.answer(key).finally(() => {
      if (consent.first === undefined) rest();
    });
  };
  const rest = (): void => {
    stdin.off('data', pressed);
    if (stdin.isRaw) stdin.setRawMode(false);
    stdin.pause();
  };
  const consent = Consent.begin(context, sandbox, tell, () => {
    if (consent.first !== undefined) tell(keysOf(consent.first));
    if (stdin.listeners('data').includes(pressed)) return;
    stdin.setRawMode(true);
    stdin.on('data', pressed);
    stdin.resume();
  });
  const end = consent.end.bind(consent);
  consent.end = () => {
    end();
    rest();
  };
  return consent;
}
