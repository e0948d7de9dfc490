import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { errorFrom } from '../errors/problem.js';
import type { WorkspaceError } from '../errors/workspace-error.js';
import type { Socket } from './socket.js';

/** For Node; bundles for browsers leave it out. */
export function openSocket(url: string, protocols: string[], headers: Record<string, string> = {}): Socket {
  const socket = new WebSocket(url, protocols, { perMessageDeflate: false, headers });
  const opened = socket as unknown as Socket;
  socket.on('unexpected-response', (_, answer) => {
    refusal(answer)
      .then((failure) => opened.onrefused?.(failure))
      // An answer that was cut off says nothing; the error that follows does.
      .catch(() => undefined)
      .finally(() => socket.terminate());
  });
  return opened;
}

async function refusal(answer: IncomingMessage): Promise<WorkspaceError> {
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part as string;
  const get = (name: string): string | null => (answer.headers[name] as string | undefined) ?? null;
  return errorFrom({ status: answer.statusCode ?? 0, headers: { get } }, text);
}
