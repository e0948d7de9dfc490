import { statSync } from 'node:fs';
import type { Sandbox } from '@bivouac/sdk';
import { AGENT_NAMES } from '../agent/agents.js';
import { runAgent } from '../agent/session.js';
import { flag, text, UsageError, type Command, type Context } from '../command.js';
import { size } from '../output.js';
import { tar } from '../packing.js';
import { RUNNING, runIn } from './exec.js';
import { make, MAKING } from './sandbox-create.js';

const NEVER = new AbortController().signal;

export const run: Command = {
  name: 'run',
  runs: 0,
  usage: '[-it] [options] [FOLDER] [COMMAND…]',
  summary: 'Make a sandbox, run a command or a shell in it, delete it',
  options: {
    ...RUNNING,
    ...MAKING,
    keep: { type: 'boolean', words: 'do not delete the sandbox' },
    agent: { type: 'string', value: 'NAME', words: `${AGENT_NAMES.join(', ')}: run it on FOLDER (default: this one), and bring home what it changed` },
    'agent-command': { type: 'string', value: 'LINE', words: 'the same with a program of yours' },
    changes: { type: 'string', value: 'WHAT', words: 'with an agent: apply, keep or discard what it changed (default: ask)' },
  },
  examples: [
    'bivouac run                                 # a shell',
    'bivouac run -T python:3.11 python -c "print(6 * 7)"',
    'bivouac run . npm test                      # with this folder as its workspace',
    'bivouac run --agent claude                  # Claude Code on a copy of this folder, and its changes back',
    'echo 6 7 | bivouac run awk "{print \\$1 * \\$2}"',
  ],
  async run(context) {
    const [folder, command] = context.dashed ? [undefined, context.rest] : folderFirst(context.rest);
    if (text(context, 'agent') !== undefined || text(context, 'agent-command') !== undefined) {
      return runAgent(context, folder ?? '.', command, (sandbox) => send(folder ?? '.', sandbox, context));
    }
    asShell(context, command);
    if (command.length === 0 && !flag(context, 'tty')) throw new UsageError('Say what to run, or -it for a shell.');
    // Once asked for it is waited for, however the call ends: otherwise nobody would know of it.
    const sandbox = await make(context, true, NEVER);
    const called = sandbox.name ?? sandbox.id;
    try {
      context.signal.throwIfAborted();
      if (flag(context, 'tty')) context.output.done(`Sandbox ${called}, ${flag(context, 'keep') ? 'kept' : 'deleted'} when you exit.`);
      if (folder !== undefined) await send(folder, sandbox, context);
      return await runIn(sandbox, context, command);
    } finally {
      if (flag(context, 'keep')) context.output.note(sandbox.id);
      else await sandbox.delete();
    }
  },
};

/** Whoever asks for nothing else at a terminal wants a shell. */
function asShell(context: Context, command: string[]): void {
  if (command.length > 0 || !process.stdin.isTTY || !process.stdout.isTTY) return;
  Object.assign(context.options, { interactive: true, tty: true });
}

/**
 * A folder is spelled as a path, such as `.` or `src/`, or stands alone before `--` or nothing: `run ls` is the command
 * also where a folder has that name.
 */
export function folderFirst(words: string[]): [string | undefined, string[]] {
  const [first, second] = words;
  if (first === undefined) return [undefined, []];
  const alone = second === undefined || second === '--';
  if (!(alone || first === '.' || first === '..' || first.includes('/')) || !isFolder(first)) return [undefined, words];
  return [first, words.slice(second === '--' ? 2 : 1)];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function send(folder: string, sandbox: Sandbox, { output, signal }: Context): Promise<void> {
  const packed = tar(['-c', '-C', folder, '.'], 'stdout');
  let bytes = 0;
  const counted = packed.stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (piece, controller) => {
        bytes += piece.byteLength;
        output.progress(`Sending ${folder} … ${size(bytes)}`);
        controller.enqueue(piece);
      },
    }),
  );
  const begun = Date.now();
  const { entries } = await sandbox.files.unpack('.', counted, { signal });
  await packed.ended;
  output.done(`Sent ${folder}: ${entries} files and folders, ${size(bytes)} in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
}
