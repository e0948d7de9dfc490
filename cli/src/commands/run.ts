import { flag, type Command } from '../command.js';
import { RUNNING, runIn } from './exec.js';
import { make, MAKING } from './sandbox-create.js';

const NEVER = new AbortController().signal;

export const run: Command = {
  name: 'run',
  usage: '[-it] [options] [-- COMMAND…]',
  summary: 'Make a sandbox, run a command in it, delete it',
  options: { ...RUNNING, ...MAKING, keep: { type: 'boolean', words: 'do not delete the sandbox' } },
  examples: ['bivouac run -it', 'bivouac run -T python:3.11 -- python -c "print(6 * 7)"', 'echo 6 7 | bivouac run -- awk "{print \\$1 * \\$2}"'],
  async run(context) {
    // Once asked for it is waited for, however the call ends: otherwise nobody would know of it.
    const sandbox = await make(context, true, NEVER);
    try {
      context.signal.throwIfAborted();
      return await runIn(sandbox, context, [...context.words, ...context.rest]);
    } finally {
      if (flag(context, 'keep')) context.output.note(sandbox.id);
      else await sandbox.delete();
    }
  },
};
