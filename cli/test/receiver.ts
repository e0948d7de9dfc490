import { createServer, type Server } from 'node:http';

/** What a receiver of webhooks was sent. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}

/** A program on this machine that takes webhooks; it answers as it is told. */
export class Receiver {
  readonly received: Received[] = [];
  status = 200;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const receiver = new Receiver(server, `http://127.0.0.1:${port}/hook`);
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (bytes: Buffer) => (body += bytes.toString()));
      request.on('end', () => {
        receiver.received.push({ headers: request.headers as Record<string, string>, body });
        response.statusCode = receiver.status;
        response.end('taken');
      });
    });
    return receiver;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
