import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Sandbox } from '@bivouac/sdk';
import { flag, UsageError, type Command, type Context } from '../command.js';
import { size } from '../output.js';
import { RUNNING, runIn } from './exec.js';
import { make, MAKING } from './sandbox-create.js';

const NEVER = new AbortController().signal;

export const run: Command = {
  name: 'run',
  runs: 0,
  usage: '[-it] [options] [FOLDER] [COMMAND…]',
  summary: 'Make a sandbox, run a command or a shell in it, delete it',
  options: { ...RUNNING, ...MAKING, keep: { type: 'boolean', words: 'do not delete the sandbox' } },
  examples: [
    'bivouac run                                 # a shell',
    'bivouac run -T python:3.11 python -c "print(6 * 7)"',
    'bivouac run . npm test                      # with this folder as its workspace',
    'echo 6 7 | bivouac run awk "{print \\$1 * \\$2}"',
  ],
  async run(context) {
    const [folder, command] = context.dashed ? [undefined, context.rest] : folderFirst(context.rest);
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
  const packer = spawn('tar', ['-c', '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve, reject) => {
    packer.once('error', () => reject(new UsageError('Folders are sent with tar, which is missing here.')));
    packer.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code ?? 'a signal'}.`))));
  });
  // Heard where it is waited for.
  ended.catch(() => undefined);
  let bytes = 0;
  packer.stdout.on('data', (piece: Buffer) => {
    bytes += piece.byteLength;
    output.progress(`Sending ${folder} … ${size(bytes)}`);
  });
  const begun = Date.now();
  const { entries } = await sandbox.files.unpack('.', Readable.toWeb(packer.stdout) as ReadableStream<Uint8Array>, { signal });
  await ended;
  output.done(`Sent ${folder}: ${entries} files and folders, ${size(bytes)} in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
}
