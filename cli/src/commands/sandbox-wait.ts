import type { SandboxState, WorkspaceClient } from '@bivouac/sdk';
import { SandboxNotFoundError } from '@bivouac/sdk';
import { seconds, text, UsageError, type Command } from '../command.js';

/** As `timeout` of the shell has it. */
const TIMED_OUT = 124;

const STATES: readonly SandboxState[] = ['running', 'stopped', 'deleted', 'error'];

export const sandboxWait: Command = {
  name: 'sandbox wait',
  aliases: ['wait'],
  usage: 'SANDBOX… [--for STATE] [--timeout TIME]',
  summary: 'Wait until sandboxes are in a state',
  completes: 'sandbox',
  options: {
    for: { type: 'string', value: 'STATE', words: 'running (default), stopped, deleted or error' },
    timeout: { type: 'string', value: 'TIME', words: 'give up after so long, with exit code 124' },
  },
  examples: ['ID=$(bivouac create -q --no-wait); bivouac wait $ID', 'bivouac wait web --for stopped --timeout 10m'],
  async run(context) {
    if (context.words.length === 0) throw new UsageError('The sandbox is missing.');
    const wanted = STATES.find((state) => state === (text(context, 'for') ?? 'running'));
    if (wanted === undefined) throw new UsageError(`--for is ${STATES.join(', ')}, not '${text(context, 'for')}'.`);
    const time = text(context, 'timeout');
    const limit = time === undefined ? undefined : AbortSignal.timeout(seconds(time, '--timeout') * 1000);
    const signal = limit === undefined ? context.signal : AbortSignal.any([context.signal, limit]);
    try {
      await reached(context.client(), context.words, wanted, signal);
    } catch (failure) {
      if (limit?.aborted !== true || context.signal.aborted) throw failure;
      context.output.note(`bivouac: ${time} are over.`);
      return TIMED_OUT;
    }
    return 0;
  },
};

/** Looks at all of them, and again at each event of the project that says something of a sandbox. */
async function reached(client: WorkspaceClient, names: string[], wanted: SandboxState, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const stream = client.events({ types: ['sandbox.*'], signal: AbortSignal.any([signal, done.signal]) });
  const events = stream[Symbol.asyncIterator]();
  // Asked for before the first look, so that nothing falls between the two.
  let next = events.next();
  try {
    await Promise.race([stream.ready, next]);
    let left = names;
    for (;;) {
      const states = await Promise.all(left.map((name) => stateOf(client, name, signal)));
      const failed = left.find((_, i) => states[i] === 'error' && wanted !== 'error');
      if (failed !== undefined) throw new Error(`${failed} is in error.`);
      const gone = left.find((_, i) => states[i] === 'deleted' && wanted !== 'deleted');
      if (gone !== undefined) throw new Error(`${gone} is gone.`);
      left = left.filter((_, i) => states[i] !== wanted);
      if (left.length === 0) return;
      if ((await next).done === true) throw new Error('The event stream has ended.');
      next = events.next();
    }
  } finally {
    // Nobody hears of the events that would still come.
    next.catch(() => undefined);
    done.abort();
  }
}

async function stateOf(client: WorkspaceClient, name: string, signal: AbortSignal): Promise<SandboxState> {
  try {
    return (await client.sandbox.get(name, { signal })).state;
  } catch (failure) {
    if (failure instanceof SandboxNotFoundError) return 'deleted';
    throw failure;
  }
}
