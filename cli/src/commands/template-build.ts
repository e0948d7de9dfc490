import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { accessSync, constants as access } from 'node:fs';
import { delimiter, join } from 'node:path';
import { flag, UsageError, word, type Command, type Context } from '../command.js';

const PROGRAM = 'bivouac-server';

export const templateBuild: Command = {
  name: 'template build',
  usage: 'NAME | FILE.yml',
  summary: "Build a template on the server's machine, as the owner of its data folder",
  options: { again: { type: 'boolean', words: 'build anew what was built before, for newer packages' } },
  examples: ['bivouac template build code-interpreter', 'bivouac template build my-tools.yml'],
  run: (context) => server(context, ['build', word(context, 0, 'The name of a recipe, or its file,'), ...(flag(context, 'again') ? ['--again'] : [])]),
};

export const templateRemove: Command = {
  name: 'template rm',
  usage: 'NAME',
  summary: "Remove a template that was built on the server's machine",
  examples: ['bivouac template rm my-tools'],
  completes: 'template',
  run: (context) => server(context, ['rm', word(context, 0, 'The name of a template')]),
};

/** Trees are built by the server's program: only who has its data folder may fill it. */
function server(context: Context, words: string[]): Promise<number> {
  if (flag(context, 'json')) words.push('--json');
  const child = spawn(program(), ['template', ...words], { stdio: 'inherit' });
  // Ctrl-C of a terminal reaches both; another signal is passed on. The build goes on the next time.
  context.signal.addEventListener('abort', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Where it was installed, or where a build of the sources leaves it. */
function program(): string {
  const named = process.env.BIVOUAC_SERVER;
  if (named !== undefined && named !== '') return named;
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(import.meta.dirname, '../../launcher/target/bivouac/bin')];
  const found = folders.map((folder) => join(folder, PROGRAM)).find(isExecutable);
  if (found !== undefined) return found;
  throw new UsageError(`Templates are built on the server's machine, and ${PROGRAM} is not here. Run this there, or say where it is with BIVOUAC_SERVER.`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, access.X_OK);
    return true;
  } catch {
    return false;
  }
}
