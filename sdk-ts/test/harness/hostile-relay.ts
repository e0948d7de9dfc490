import { createServer, type IncomingMessage, type Server } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';

type Frames = (frame: Buffer, connection: number) => Buffer[];

const plain: Frames = (frame) => [frame];

/** What stands between a client and the real server, and does with everything that passes what its owner likes. */
export class HostileRelay {
  /** What a test does to frames on their way; one in, any number out. */
  fromClient: Frames = plain;
  fromServer: Frames = plain;
  /** Of the bodies of HTTP requests and answers. */
  request: (path: string, body: string) => string = (_, body) => body;
  answer: (path: string, body: string) => string = (_, body) => body;
  /** Where a WebSocket really goes. */
  redirect: (path: string) => string = (path) => path;
  /** All that it could read. */
  readonly seen: Buffer[] = [];
  connections = 0;
  private readonly sockets = new Set<WebSocket>();

  private constructor(
    private readonly listener: Server,
    private readonly target: string,
    readonly url: string,
  ) {}

  static async before(target: string): Promise<HostileRelay> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as { port: number };
    const relay = new HostileRelay(listener, target, `http://127.0.0.1:${port}`);
    listener.on('request', (request, response) => {
      void relay.pass(request).then(({ status, body, type }) => response.writeHead(status, { 'content-type': type }).end(body));
    });
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, handleProtocols: (asked) => [...asked][0] ?? false });
    listener.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, (client) => relay.carry(client, request)));
    return relay;
  }

  private async pass(request: IncomingMessage): Promise<{ status: number; body: Buffer; type: string }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const path = request.url ?? '/';
    const body = this.request(path, Buffer.concat(chunks).toString());
    const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' };
    const method = request.method ?? 'GET';
    const answer = await fetch(this.target + path, { method, headers, ...(body === '' ? {} : { body }) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    this.seen.push(Buffer.from(body), bytes);
    const type = answer.headers.get('content-type') ?? 'application/json';
    const changed = type.includes('json') ? Buffer.from(this.answer(path, bytes.toString())) : bytes;
    return { status: answer.status, body: changed, type };
  }

  private carry(client: WebSocket, request: IncomingMessage): void {
    const connection = ++this.connections;
    const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(/, */);
    const address = this.target.replace(/^http/, 'ws') + this.redirect(request.url ?? '/');
    const { authorization } = request.headers;
    const server = new WebSocket(address, protocols, { perMessageDeflate: false, ...(authorization === undefined ? {} : { headers: { authorization } }) });
    const waiting: Buffer[] = [];
    this.sockets.add(client).add(server);
    client.on('message', (data: Buffer) => {
      this.seen.push(data);
      for (const frame of this.fromClient(data, connection)) {
        if (server.readyState === WebSocket.OPEN) server.send(frame);
        else waiting.push(frame);
      }
    });
    server.on('open', () => waiting.splice(0).forEach((frame) => server.send(frame)));
    server.on('message', (data: Buffer) => {
      this.seen.push(data);
      for (const frame of this.fromServer(data, connection)) if (client.readyState === WebSocket.OPEN) client.send(frame);
    });
    for (const [one, other] of [[client, server], [server, client]] as const) {
      one.on('error', () => other.terminate());
      one.on('close', (code) => other.close(code >= 1000 && code < 5000 && ![1004, 1005, 1006, 1015].includes(code) ? code : 1000));
    }
  }

  /** Whether the words went by in any form that could be read. */
  saw(words: string): boolean {
    const all = Buffer.concat(this.seen);
    const forms = [words, Buffer.from(words).toString('base64').replace(/=+$/, '').slice(0, -1), Buffer.from(words).toString('hex')];
    return forms.some((form) => all.includes(form));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    this.listener.closeAllConnections();
    await new Promise((resolve) => this.listener.close(resolve));
  }
}

/** The types of `bivouac.terminal.v1` that carry sealed messages. */
export const SEALED_UP = 70;
export const SEALED_DOWN = 6;

/** Sealed messages after the handshake; the others pass as they are. */
export function sealedOnly(down: boolean, act: (frame: Buffer, number: number) => Buffer[]): Frames {
  return (frame) => {
    const number = Number(frame.readBigUInt64BE(1));
    const sealed = frame[0] === (down ? SEALED_DOWN : SEALED_UP) && number > 0;
    return sealed ? act(frame, number) : [frame];
  };
}
