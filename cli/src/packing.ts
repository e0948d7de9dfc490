import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { UsageError } from './command.js';

export interface Tar {
  stream: ReadableStream<Uint8Array>;
  sink: WritableStream<Uint8Array>;
  ended: Promise<void>;
}

/** The program tar, which packs what comes out of `stream` or unpacks what goes into `sink`. */
export function tar(words: string[], open: 'stdin' | 'stdout'): Tar {
  const program = spawn('tar', words, { stdio: [open === 'stdin' ? 'pipe' : 'ignore', open === 'stdout' ? 'pipe' : 'ignore', 'inherit'] });
  const ended = new Promise<void>((done, reject) => {
    program.once('error', () => reject(new UsageError('Folders are copied with tar, which is missing here.')));
    program.once('exit', (code) => (code === 0 ? done() : reject(new Error(`tar ended with ${code ?? 'a signal'}.`))));
  });
  // Whoever waits for it hears of it; until then it is no fault of its own.
  ended.catch(() => undefined);
  return {
    stream: program.stdout === null ? new ReadableStream() : (Readable.toWeb(program.stdout) as ReadableStream<Uint8Array>),
    sink: program.stdin === null ? new WritableStream() : (Writable.toWeb(program.stdin) as WritableStream<Uint8Array>),
    ended,
  };
}
