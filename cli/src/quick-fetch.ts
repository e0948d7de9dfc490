import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * The part of `fetch` that the SDK uses. Node's own takes longer to load than most commands take to run.
 */
export const quickFetch = (async (input: URL, init: RequestInit = {}) => {
  const answer = await ask(input, init);
  const status = answer.statusCode ?? 0;
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name: string) => String(answer.headers[name.toLowerCase()] ?? '') || null },
    text: () => textOf(answer),
    get body() {
      return Readable.toWeb(answer);
    },
  };
}) as unknown as typeof globalThis.fetch;

async function ask(url: URL, init: RequestInit): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const headers = { ...(init.headers as Record<string, string>) };
  const options: RequestOptions = { method: init.method ?? 'GET', headers, signal: init.signal ?? undefined };
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, options, resolve);
    sent.on('error', reject);
    send(init.body, sent, reject);
  });
}

function send(body: RequestInit['body'], sent: ClientRequest, failed: (failure: unknown) => void): void {
  if (body === undefined || body === null) {
    sent.end();
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    sent.setHeader('Content-Length', Buffer.byteLength(body));
    sent.end(body);
  } else if (body instanceof ReadableStream) {
    // A server that refuses it answers before it has read everything; that answer counts, not the broken pipe.
    pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), sent).catch(failed);
  } else {
    throw new TypeError('Only text, bytes and streams can be sent.');
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const part of answer) text += part as string;
  return text;
}
