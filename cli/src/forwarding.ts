import { request as plain, type IncomingMessage } from 'node:http';
import { request as secure } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Which port of the sandbox, and with what to ask for it. */
export interface Forwarding {
  /** The port's address at the gateway. */
  url: string;
  headers: Record<string, string>;
  /** Told of connections that could not be made. */
  failed(why: string): void;
}

/** Listens on this machine's loopback address and carries each connection to the sandbox's port. */
export function forward(local: number, forwarding: Forwarding): Promise<Server> {
  const open = new Set<Socket>();
  // Both ways may end one after the other: a client that has sent all still waits for the answer.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    carry(client, forwarding);
  });
  server.once('close', () => open.forEach((client) => client.destroy()));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(local, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function carry(client: Socket, forwarding: Forwarding): void {
  const { url, headers } = forwarding;
  client.on('error', () => client.destroy());
  const ask = url.startsWith('https:') ? secure : plain;
  const asked = ask(url, { headers: { ...headers, Connection: 'Upgrade', Upgrade: 'bivouac-tcp' }, agent: false });
  const refuse = (why: string): void => {
    forwarding.failed(why);
    client.resetAndDestroy();
  };
  client.once('close', () => asked.destroy());
  asked.on('upgrade', (_response: IncomingMessage, program: Duplex, first: Buffer) => {
    program.on('error', () => client.destroy());
    client.once('close', () => program.destroy());
    program.once('close', () => client.destroySoon());
    if (first.length > 0) client.write(first);
    client.pipe(program);
    program.pipe(client);
  });
  asked.on('response', (response) => void text(response).then((body) => refuse(reason(body, response.statusCode ?? 0))));
  asked.on('error', (failure) => {
    if (!client.destroyed) refuse(failure.message);
  });
  asked.end();
}

async function text(response: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of response) body += String(piece);
  return body;
}

function reason(body: string, status: number): string {
  try {
    return (JSON.parse(body) as { detail?: string }).detail ?? `the server answered ${status}`;
  } catch {
    return `the server answered ${status}`;
  }
}
