import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';

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
    if (typeof init.body === 'string') {
      sent.setHeader('Content-Length', Buffer.byteLength(init.body));
      sent.end(init.body);
    } else {
      sent.end();
    }
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const part of answer) text += part as string;
  return text;
}
