import { ConnectionError } from '../errors/workspace-error.js';

/** The longest line taken: more than any that the server sends. */
const LONGEST = 16 * 1024 * 1024;

/** An answer's lines as they arrive. Ending the iteration closes the connection. */
export async function* lines(response: Response): AsyncGenerator<string, void, void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((failure: unknown) => {
        throw new ConnectionError('The answer was cut off.', failure);
      });
      if (done) break;
      const whole = (rest + value).split('\n');
      rest = whole.pop() ?? '';
      yield* whole;
      if (rest.length > LONGEST) throw new ConnectionError('The answer has a line without an end.');
    }
    if (rest !== '') yield rest;
  } finally {
    // After its end there is nothing left to cancel.
    reader.cancel().catch(() => undefined);
  }
}
