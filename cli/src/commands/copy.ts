import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileNotFoundError, type FileService } from '@bivouac/sdk';
import { text, UsageError, word, type Command, type Context } from '../command.js';
import { plain, type Output } from '../output.js';
import { tar } from '../packing.js';

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
    'bivouac cp data.csv web:data.csv',
    'bivouac cp web:results ./results',
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
    const count = new Count(context.output);
    const job = { files: sandbox.files, from: from.path, to: to.path, count, context };
    const target = await (to.sandbox === undefined ? download(job) : upload(job));
    count.tell(target);
    return 0;
  },
};

function options(context: Context): { signal: AbortSignal; user: string | undefined } {
  return { signal: context.signal, user: text(context, 'user') };
}

interface Job {
  files: FileService;
  from: string;
  to: string;
  count: Count;
  context: Context;
}

/** Gives the place that it was copied to. */
async function upload({ files, from, to, count, context }: Job): Promise<string> {
  if (from === '-') {
    await files.upload(to, count.through(Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>), {}, options(context));
    return to;
  }
  const found = await stat(from).catch(() => {
    throw new UsageError(`There is no ${from} here.`);
  });
  const target = await within(files, to, basename(resolve(from)), context);
  if (found.isDirectory()) {
    const packed = tar(['-c', '-C', from, '.'], 'stdout');
    await files.unpack(target, count.through(packed.stream), options(context));
    await packed.ended;
    return target;
  }
  const contents = Readable.toWeb(createReadStream(from, { highWaterMark: 256 * 1024 })) as ReadableStream<Uint8Array>;
  await files.upload(target, count.through(contents, found.size), { mode: (found.mode & 0o777).toString(8) }, options(context));
  return target;
}

/** As cp has it: into a folder that is there, or to a name that is not. */
async function within(files: FileService, to: string, name: string, context: Context): Promise<string> {
  const present = await files.stat(to, options(context)).catch((failure: unknown) => {
    if (failure instanceof FileNotFoundError) return undefined;
    throw failure;
  });
  return present?.type === 'folder' || to.endsWith('/') ? `${to.replace(/\/+$/, '')}/${name}` : to;
}

async function download({ files, from, to, count, context }: Job): Promise<string> {
  const entry = await files.stat(from, options(context));
  if (to === '-') {
    const stream = entry.type === 'folder' ? await files.archive(from, 'tar', options(context)) : (await files.download(from, {}, options(context))).stream;
    await pipeline(Readable.fromWeb(stream as never), process.stdout, { end: false });
    return to;
  }
  const here = await stat(to).catch(() => undefined);
  const target = here?.isDirectory() === true ? join(to, entry.name) : to;
  if (entry.type === 'folder') {
    await mkdir(target, { recursive: true });
    const unpacked = tar(['-x', '-C', target], 'stdin');
    await count.through(await files.archive(from, 'tar', options(context))).pipeTo(unpacked.sink);
    await unpacked.ended;
    return target;
  }
  const { stream, size } = await files.download(from, {}, options(context));
  const partial = join(dirname(target), `.${basename(target)}.part`);
  const mode = entry.type === 'file' ? Number.parseInt(entry.mode, 8) & 0o777 : 0o666;
  try {
    await pipeline(Readable.fromWeb(count.through(stream, size) as never), createWriteStream(partial, { mode }));
    await rename(partial, target);
  } catch (failure) {
    await rm(partial, { force: true });
    throw failure;
  }
  return target;
}

/** Shows on a terminal how far a copy is, and how it went. */
class Count {
  private readonly begun = Date.now();
  private passed = 0;
  private shown = 0;

  constructor(private readonly output: Output) {}

  through(stream: ReadableStream<Uint8Array>, size?: number): ReadableStream<Uint8Array> {
    return stream.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (piece, controller) => {
          this.passed += piece.byteLength;
          this.show(size);
          controller.enqueue(piece);
        },
        flush: () => this.output.clearProgress(),
      }),
    );
  }

  private show(size: number | undefined): void {
    if (Date.now() - this.shown < 100) return;
    this.shown = Date.now();
    const of = size === undefined || size === 0 ? '' : ` of ${megabytes(size)} (${Math.floor((100 * this.passed) / size)} %)`;
    this.output.progress(`${megabytes(this.passed)}${of} MB`);
  }

  tell(target: string): void {
    if (target === '-') return;
    this.output.done(`Copied ${megabytes(this.passed)} MB to ${plain(target)} in ${((Date.now() - this.begun) / 1000).toFixed(1)} s.`);
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
