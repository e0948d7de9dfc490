import { once } from 'node:events';
import type { Sandbox, Terminal } from '@bivouac/sdk';
import type { Context } from './command.js';
import { Consent } from './consent.js';
import { keysOf } from './questions.js';

const CTRL_C = 3;

/** The key by which a question is answered, as telnet has it: programs rarely want it. */
const CTRL_BRACKET = 0x1d;

/** A terminal that nobody has given a size, as in CI, says 0 by 0; programs expect the classic one then. */
export function screenSize(screen: { columns?: number; rows?: number } = process.stdout): { cols: number; rows: number } {
  const given = (size: number | undefined, usual: number): number => (size === undefined || size === 0 ? usual : size);
  return { cols: given(screen.columns, 80), rows: given(screen.rows, 24) };
}

/** Where questions of programs come from. */
export interface Asking {
  context: Context;
  sandbox: Sandbox;
}

/** Makes this terminal and the one in the sandbox the same, until its program ends. */
export async function interact(terminal: Terminal, input: NodeJS.ReadStream | undefined, signal: AbortSignal, asking?: Asking): Promise<number> {
  const { stdout, stderr } = process;
  const told = (line: string): void => void stderr.write(`\r\n[${line}]\r\n`);
  const consent = asking === undefined ? undefined : Consent.begin(asking.context, asking.sandbox, told, () => told('Ctrl-] answers'));
  const keys = input === undefined ? undefined : new Keys(terminal, input, consent, told);
  const resized = (): void => {
    const { cols, rows } = screenSize();
    terminal.resize(cols, rows);
  };
  const watch = terminal.on('state', (state) => {
    if (state === 'reconnecting') stderr.write('\r\n[connection lost, looking for it again; Ctrl-C gives up]\r\n');
    if (state === 'open') stderr.write('\r\n[connected again]\r\n');
  });
  process.on('SIGWINCH', resized);
  keys?.begin();
  try {
    for await (const bytes of terminal) {
      // A slow reader of ours holds back the program over there, as a pipe would.
      if (!stdout.write(bytes)) await once(stdout, 'drain', { signal });
    }
    return shellCode((await terminal.wait()).exitCode);
  } finally {
    keys?.end();
    consent?.end();
    process.off('SIGWINCH', resized);
    watch();
  }
}

/** A shell says 128 + n for a program that signal n ended. */
export function shellCode(exitCode: number): number {
  return exitCode < 0 ? 128 - exitCode : exitCode;
}

/** What is typed, as it is typed. */
class Keys {
  constructor(
    private readonly terminal: Terminal,
    private readonly input: NodeJS.ReadStream,
    private readonly consent: Consent | undefined,
    private readonly tell: (line: string) => void,
  ) {}

  /** The next key is for a question, and not for the program. */
  private answering = false;

  begin(): void {
    this.input.setRawMode(true);
    this.input.on('data', this.typed);
    this.input.resume();
  }

  private readonly typed = (bytes: Buffer): void => {
    if (this.terminal.state === 'reconnecting' && bytes.includes(CTRL_C)) {
      this.terminal.close();
      return;
    }
    if (this.isAnswer(bytes)) return;
    const room = this.terminal.write(bytes);
    this.input.pause();
    room.then(
      () => this.input.resume(),
      // The terminal is over; its end is told where its output is read.
      () => undefined,
    );
  };

  private isAnswer(bytes: Buffer): boolean {
    if (this.answering) {
      this.answering = false;
      void this.consent?.answer(bytes.toString());
      return true;
    }
    if (this.consent?.first === undefined || bytes.length !== 1 || bytes[0] !== CTRL_BRACKET) return false;
    this.answering = true;
    this.tell(keysOf(this.consent.first));
    return true;
  }

  end(): void {
    this.input.off('data', this.typed);
    // A terminal that is gone cannot be set back.
    this.input.on('error', () => undefined);
    this.input.setRawMode(false);
    this.input.pause();
  }
}
