import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { CodeLanguage, Sandbox } from '@bivouac/sdk';
import { configFolder } from '../account.js';
import { languageOf } from '../code/language.js';
import { Pictures } from '../code/pictures.js';
import { show } from '../code/showing.js';
import { isUnfinished } from '../code/unfinished.js';
import { text, type Command, type Context } from '../command.js';
import { CODING, inSandbox, limits } from './code-run.js';

/** Lines of earlier calls that the arrow keys find. */
const HISTORY = 1000;

export const codeRepl: Command = {
  name: 'code repl',
  usage: '[options] [LANGUAGE]',
  summary: 'Type code into an interpreter in a sandbox, line by line',
  options: CODING,
  examples: ['bivouac code repl', 'bivouac code repl typescript', 'bivouac code repl python -s web   # goes on where the session was left'],
  async run(context) {
    const language = languageOf(context.words[0] ?? 'python');
    return inSandbox(context, (sandbox) => new Repl(context, sandbox, language).run());
  },
};

/** What is typed while code runs waits for its end. Ctrl-C interrupts the code, or throws away the line. */
class Repl {
  private readonly pictures: Pictures;
  private readonly terminal: Interface;
  private readonly lines: AsyncIterator<string>;
  /** The one that was named, or that the language has in the sandbox: known when the first code runs. */
  private session: string | undefined;
  private typed: string[] = [];
  private running = false;

  constructor(
    private readonly context: Context,
    private readonly sandbox: Sandbox,
    private readonly language: CodeLanguage,
  ) {
    this.pictures = new Pictures(text(context, 'pictures'));
    this.session = text(context, 'session');
    const { stdin: input, stderr: output } = process;
    const person = input.isTTY && output.isTTY;
    this.terminal = createInterface({ input, output, terminal: person, history: person ? remembered(language) : [], historySize: HISTORY, removeHistoryDuplicates: true });
    this.lines = this.terminal[Symbol.asyncIterator]();
    this.terminal.on('SIGINT', () => this.interrupted());
    context.signal.addEventListener('abort', () => this.terminal.close(), { once: true });
  }

  async run(): Promise<number> {
    const { output } = this.context;
    if (this.terminal.terminal) output.note(`${this.language} in sandbox ${this.sandbox.name ?? this.sandbox.id}; Ctrl-C interrupts, Ctrl-D ends.`);
    try {
      for (;;) {
        this.prompt();
        const next = await this.lines.next();
        if (next.done === true) break;
        this.typed.push(next.value);
        const code = this.typed.join('\n');
        if (isUnfinished(code, this.language)) continue;
        this.typed = [];
        if (code.trim() !== '') await this.execute(code);
      }
      this.context.signal.throwIfAborted();
      // What was begun and not ended is code as well, where nobody types it.
      if (this.typed.length > 0 && !this.terminal.terminal) await this.execute(this.typed.join('\n'));
      return 0;
    } finally {
      this.terminal.close();
      if (this.terminal.terminal) output.note('');
    }
  }

  private async execute(code: string): Promise<void> {
    if (this.terminal.terminal) remember(this.language, code);
    this.running = true;
    try {
      const onStart = ({ sessionId }: { sessionId: string }): void => void (this.session = sessionId);
      const params = { language: this.language, session: this.session, ...limits(this.context), onStart };
      await show(this.sandbox, code, params, this.context.output, this.pictures);
    } finally {
      this.running = false;
    }
  }

  private interrupted(): void {
    if (!this.running) {
      this.typed = [];
      this.context.output.note('');
      // Throws away what stands in the line.
      this.terminal.write(null, { ctrl: true, name: 'u' });
      this.prompt();
      return;
    }
    // Before the first word of it there is nothing to interrupt yet.
    if (this.session === undefined) return;
    this.sandbox.code.sessions.interrupt(this.session).catch((failure: unknown) => this.context.output.note(`bivouac: ${failure instanceof Error ? failure.message : String(failure)}`));
  }

  private prompt(): void {
    if (!this.terminal.terminal) return;
    this.terminal.setPrompt(this.typed.length === 0 ? '>>> ' : '... ');
    this.terminal.prompt();
  }
}

function historyFile(language: CodeLanguage): string {
  return join(configFolder(), 'history', language);
}

/** The newest first, as the terminal wants it. */
function remembered(language: CodeLanguage): string[] {
  try {
    return readFileSync(historyFile(language), 'utf8').split('\n').filter(Boolean).slice(-HISTORY).reverse();
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw failure;
  }
}

function remember(language: CodeLanguage, code: string): void {
  mkdirSync(dirname(historyFile(language)), { recursive: true, mode: 0o700 });
  appendFileSync(historyFile(language), `${code}\n`, { mode: 0o600 });
}
