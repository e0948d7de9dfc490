import { ConnectionError, WorkspaceError } from '../errors/workspace-error.js';

/** One event of a stream; a block without data only moves the id on and has none. */
export interface ServerSentEvent {
  id: string;
  event: string;
  data: string | undefined;
}

/** The longest event taken: more than any that the server sends, so that a stream of another kind cannot fill memory. */
const LONGEST = 16 * 1024 * 1024;

/** Reads a stream of server-sent events. Ending the iteration closes the connection. */
export async function* serverSentEvents(response: Response): AsyncGenerator<ServerSentEvent, void, void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let id = '';
  let finished = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        finished = true;
        return;
      }
      rest += value;
      let end: number;
      while ((end = rest.indexOf('\n\n')) >= 0) {
        const block = parse(rest.slice(0, end), id);
        rest = rest.slice(end + 2);
        id = block.id;
        yield block;
      }
      if (rest.length > LONGEST) throw new ConnectionError('The stream sent an event without an end.');
    }
  } catch (failure) {
    if (failure instanceof WorkspaceError || isAbort(failure)) throw failure;
    throw new ConnectionError('The stream was cut off.', failure);
  } finally {
    // After its end, or when it broke, there is nothing left to cancel.
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

function isAbort(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'AbortError';
}

function parse(block: string, lastId: string): ServerSentEvent {
  const event: ServerSentEvent = { id: lastId, event: 'message', data: undefined };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') event.id = value;
    else if (field === 'event') event.event = value;
    else if (field === 'data') event.data = event.data === undefined ? value : `${event.data}\n${value}`;
  }
  return event;
}
