import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the server that can be cut. */
export class CuttingProxy {
  private readonly sockets = new Set<Socket>();
  private closed = false;
  /** How many connections were made in all. */
  connections = 0;

  private constructor(
    private readonly listener: Server,
    readonly url: string,
  ) {}

  static async to(target: string): Promise<CuttingProxy> {
    const { hostname, port } = new URL(target);
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address() as { port: number };
    const proxy = new CuttingProxy(listener, `http://127.0.0.1:${address.port}`);
    listener.on('connection', (client) => proxy.carry(client, connect(Number(port), hostname)));
    return proxy;
  }

  private carry(client: Socket, server: Socket): void {
    this.connections++;
    if (this.closed) {
      client.destroy();
      server.destroy();
      return;
    }
    for (const [from, to] of [[client, server], [server, client]] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }

  /** Every connection is gone at once. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Refuses whoever comes, until opened again. */
  refuse(refusing: boolean): void {
    this.closed = refusing;
    if (refusing) this.cut();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.listener.close(resolve));
  }
}
