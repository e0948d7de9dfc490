import { EXIT } from './failure.js';

/** Ended from outside, before it was done. */
export class Ended extends Error {
  constructor(readonly exitCode: number) {
    super('It was ended.');
  }
}

/** The reader of what we print is gone: of a pipe, or of a terminal. */
const NO_READER = ['EPIPE', 'EIO'];

/**
 * Aborts when somebody wants the program to end, so that it can first put away what it made. Who says so twice ends it
 * at once.
 */
export function ending(): AbortSignal {
  const wanted = new AbortController();
  const end = (code: number) => (): void => wanted.abort(new Ended(code));
  process.once('SIGINT', end(EXIT.INTERRUPTED));
  process.once('SIGTERM', end(EXIT.TERMINATED));
  process.once('SIGHUP', end(EXIT.HUNG_UP));
  process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
    // A reader that has seen enough (bivouac … | head) is no error.
    if (NO_READER.includes(failure.code ?? '')) wanted.abort(new Ended(0));
    else throw failure;
  });
  process.stderr.on('error', () => undefined);
  return wanted.signal;
}
