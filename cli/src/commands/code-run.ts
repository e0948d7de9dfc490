import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import type { CodeParams, CodeRun, Sandbox } from '@bivouac/sdk';
import { languageOf } from '../code/language.js';
import { Pictures } from '../code/pictures.js';
import { exitCode, show } from '../code/showing.js';
import { flag, number, pairs, text, UsageError, word, type Command, type Context, type Option } from '../command.js';
import { make, MAKING } from './sandbox-create.js';

const NEVER = new AbortController().signal;

/** What `code run` and `code repl` share. `--timeout` is the sandbox's life for `run`, and here the code's own. */
const { timeout: _, env: __, ...SANDBOX } = MAKING;
export const CODING: Record<string, Option> = {
  sandbox: { type: 'string', short: 's', value: 'SANDBOX', words: 'in this sandbox (default: one of its own, deleted afterwards)' },
  session: { type: 'string', value: 'ID', words: 'in this session (default: the one that the language has in the sandbox)' },
  timeout: { type: 'string', value: 'SECONDS', words: 'interrupt code that takes longer' },
  pictures: { type: 'string', value: 'FOLDER', words: 'save pictures there (default: a folder among the temporary files)' },
  env: { type: 'string', multiple: true, value: 'KEY=VALUE', words: 'an environment variable; may be repeated' },
  keep: { type: 'boolean', words: 'do not delete the sandbox' },
  ...SANDBOX,
};

export const codeRun: Command = {
  name: 'code run',
  usage: '[options] FILE | - | -e CODE',
  summary: 'Run code in an interpreter that keeps its variables',
  options: {
    eval: { type: 'string', short: 'e', value: 'CODE', words: 'this code' },
    language: { type: 'string', short: 'L', value: 'NAME', words: 'python, java, javascript, typescript, go or bash (default: by the ending, else python)' },
    ...CODING,
  },
  examples: [
    'bivouac code run analysis.py --pictures .',
    'bivouac code run -e "print(6 * 7)"',
    'bivouac code run -s web -e "x = 1"; bivouac code run -s web -e "x + 1"   # prints 2',
    'echo "[...\'abc\'].length" | bivouac code run -L javascript -',
  ],
  async run(context) {
    const { code, file } = await source(context);
    const language = languageOf(text(context, 'language'), file);
    return inSandbox(context, async (sandbox) => {
      const params = { language, session: text(context, 'session'), ...limits(context) };
      if (!context.output.json) return exitCode(await show(sandbox, code, params, context.output, new Pictures(text(context, 'pictures'))));
      const run: CodeRun = await sandbox.code.run(code, params);
      context.output.value(run, () => undefined);
      return exitCode(run.exit);
    });
  },
};

/** What every run of code of this call is given. */
export function limits(context: Context): CodeParams {
  return { timeout: number(context, 'timeout'), envs: pairs(context, 'env'), signal: context.signal };
}

async function source(context: Context): Promise<{ code: string; file?: string }> {
  const given = text(context, 'eval');
  if (given !== undefined) {
    if (context.words.length > 0) throw new UsageError('Give a file or -e CODE, not both.');
    return { code: given };
  }
  const file = word(context, 0, 'The file (or -, or -e CODE)');
  if (file === '-') return { code: await textOf(process.stdin) };
  try {
    return { code: readFileSync(file, 'utf8'), file };
  } catch (failure) {
    throw new UsageError(`${file} cannot be read: ${(failure as Error).message}`);
  }
}

/** In the sandbox that --sandbox names, or in a new one. */
export async function inSandbox(context: Context, work: (sandbox: Sandbox) => Promise<number>): Promise<number> {
  const named = text(context, 'sandbox');
  if (named !== undefined) return work(context.client().sandbox.reference(named));
  // The code's timeout is not the sandbox's.
  const { timeout: _, ...options } = context.options;
  // Once asked for it is waited for, however the call ends: otherwise nobody would know of it.
  const sandbox = await make({ ...context, options }, true, NEVER);
  try {
    context.signal.throwIfAborted();
    return await work(sandbox);
  } finally {
    if (flag(context, 'keep')) context.output.note(sandbox.id);
    else await sandbox.delete();
  }
}
