import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { spawn } from 'node:child_process';
import type { FileService } from '@bivouac/sdk';
import { text, UsageError, word, type Command, type Context } from '../command.js';

const MEGABYTE = 1_000_000;

/** A place in a sandbox, as `ID:PATH`, or on this machine. */
interface Place {
  sandbox?: string;
  path: string;
}

/** What stands before a colon and has no slash is a sandbox; `./a:b` is a file here. */
export function place(word: string): Place {
  const colon = word.indexOf(':');
  if (colon < 1 || word.slice(0, colon).includes('/')) return { path: word };
  return { sandbox: word.slice(0, colon), path: word.slice(colon + 1) || '.' };
}

export const copy: Command = {
  name: 'cp',
  usage: 'FROM TO',
  summary: 'Copy a file or folder into or out of a sandbox',
  completes: 'sandbox',
  options: { user: { type: 'string', value: 'USER', words: 'whose permissions count in the sandbox' } },
  examples: [
    'bivouac cp data.csv sbx-…:data.csv',
    'bivouac cp sbx-…:results ./results',
    'tar -c src | bivouac cp - sbx-…:src.tar',
    'bivouac cp sbx-…:report.txt -',
  ],
  async run(context) {
    const from = place(word(context, 0, 'FROM'));
    const to = place(word(context, 1, 'TO'));
    if ((from.sandbox === undefined) === (to.sandbox === undefined)) {
      throw new UsageError('One of FROM and TO must be in a sandbox, such as sbx-…:PATH.');
    }
    const id = from.sandbox ?? to.sandbox ?? '';
    const sandbox = await context.client().sandbox.get(id, { signal: context.signal });
    await (to.sandbox === undefined ? download(sandbox.files, from.path, to.path, context) : upload(sandbox.files, from.path, to.path, context));
    return 0;
  },
};

function options(context: Context): { signal: AbortSignal; user: string | undefined } {
  return { signal: context.signal, user: text(context, 'user') };
}

async function upload(files: FileService, from: string, to: string, context: Context): Promise<void> {
  if (from === '-') {
    await files.upload(to, counted(Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>, undefined, context), {}, options(context));
    return;
  }
  const found = await stat(from).catch(() => {
    throw new UsageError(`There is no ${from} here.`);
  });
  const target = await within(files, to, basename(from), context);
  if (found.isDirectory()) {
    const packed = tar(['-c', '-C', from, '.'], 'stdout');
    await files.unpack(target, counted(packed.stream, undefined, context), options(context));
    await packed.ended;
    return;
  }
  const contents = Readable.toWeb(createReadStream(from, { highWaterMark: 256 * 1024 })) as ReadableStream<Uint8Array>;
  await files.upload(target, counted(contents, found.size, context), { mode: (found.mode & 0o777).toString(8) }, options(context));
}

/** As cp has it: into a folder that is there, or to a name that is not. */
async function within(files: FileService, to: string, name: string, context: Context): Promise<string> {
  const present = await files.stat(to, options(context)).catch(() => undefined);
  return present?.type === 'folder' || to.endsWith('/') ? `${to.replace(/\/+$/, '')}/${name}` : to;
}

async function download(files: FileService, from: string, to: string, context: Context): Promise<void> {
  const entry = await files.stat(from, options(context));
  if (to === '-') {
    const { stream } = await files.download(from, {}, options(context));
    await pipeline(Readable.fromWeb(stream as never), process.stdout, { end: false });
    return;
  }
  const here = await stat(to).catch(() => undefined);
  const target = here?.isDirectory() === true ? join(to, entry.name) : to;
  if (entry.type === 'folder') {
    await mkdir(target, { recursive: true });
    const unpacked = tar(['-x', '-C', target], 'stdin');
    await counted(await files.archive(from, 'tar', options(context)), undefined, context).pipeTo(unpacked.sink);
    await unpacked.ended;
    return;
  }
  const { stream, size } = await files.download(from, {}, options(context));
  const partial = join(dirname(target), `.${basename(target)}.part`);
  try {
    await pipeline(Readable.fromWeb(counted(stream, size, context) as never), createWriteStream(partial));
    await rename(partial, target);
  } catch (failure) {
    await rm(partial, { force: true });
    throw failure;
  }
}

function tar(words: string[], open: 'stdin' | 'stdout'): { stream: ReadableStream<Uint8Array>; sink: WritableStream<Uint8Array>; ended: Promise<void> } {
  const program = spawn('tar', words, { stdio: [open === 'stdin' ? 'pipe' : 'ignore', open === 'stdout' ? 'pipe' : 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve, reject) => {
    program.once('error', () => reject(new UsageError('Folders are copied with tar, which is missing here.')));
    program.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`tar ended with ${code ?? 'a signal'}.`))));
  });
  // Whoever waits for it hears of it; until then it is no fault of its own.
  ended.catch(() => undefined);
  return {
    stream: program.stdout === null ? new ReadableStream() : (Readable.toWeb(program.stdout) as ReadableStream<Uint8Array>),
    sink: program.stdin === null ? new WritableStream() : (Writable.toWeb(program.stdin) as WritableStream<Uint8Array>),
    ended,
  };
}

/** Shows on a terminal how far it is. */
function counted(stream: ReadableStream<Uint8Array>, size: number | undefined, context: Context): ReadableStream<Uint8Array> {
  let passed = 0;
  let shown = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        passed += piece.byteLength;
        if (Date.now() - shown > 100) {
          shown = Date.now();
          const of = size === undefined || size === 0 ? '' : ` of ${(size / MEGABYTE).toFixed(1)} (${Math.floor((100 * passed) / size)} %)`;
          context.output.progress(`${(passed / MEGABYTE).toFixed(1)}${of} MB`);
        }
        controller.enqueue(piece);
      },
      flush: () => context.output.clearProgress(),
    }),
  );
}
