import headless from '@xterm/headless';
import WebSocket from 'ws';
import type { TestServer } from './server.js';

/** A terminal session as an assistant's user has it: a screen that answers as terminals do, and what was shown on it. */
export class AssistantSession {
  shown = '';
  readonly ended: Promise<number>;
  private readonly screen = new headless.Terminal({ cols: 120, rows: 40, allowProposedApi: true });

  private constructor(
    readonly id: string,
    private readonly socket: WebSocket,
  ) {
    // Programs ask where the cursor is before they begin.
    this.screen.onData((data) => this.send({ type: 'input', data }));
    this.ended = new Promise((resolve, reject) => {
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { type: string; data?: string; code?: number };
        if (message.type === 'output') {
          this.screen.write(message.data ?? '');
          this.shown += message.data ?? '';
        }
        if (message.type === 'exit') resolve(message.code ?? -1);
      });
      socket.on('close', () => reject(new Error(`The session is over: ${this.shown}`)));
    });
    this.ended.catch(() => undefined);
  }

  static async open(server: TestServer, request: Record<string, unknown>): Promise<AssistantSession> {
    const { status, body } = await AssistantSession.asked(server, request);
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    const socket = new WebSocket(body.wsUrl as string, ['bivouac.json'], { headers: { 'X-API-Key': server.key } });
    const session = new AssistantSession(body.sessionId as string, socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return session;
  }

  /** What is answered to whoever wants such a session. */
  static async asked(server: TestServer, request: Record<string, unknown>): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await fetch(`${server.url}/-/terminal/sessions`, {
      method: 'POST',
      headers: { 'X-API-Key': server.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ cols: 120, rows: 40, ...request }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  private send(message: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** What a person sees now: a program may draw a sentence word by word, in any order. */
  get seen(): string {
    const { active } = this.screen.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '').join('\n');
  }

  /** For a program that would go on. */
  async end(server: TestServer): Promise<void> {
    await fetch(`${server.url}/-/terminal/sessions/${this.id}`, { method: 'DELETE', headers: { 'X-API-Key': server.key } });
    await this.ended;
    this.close();
  }

  close(): void {
    this.socket.close();
  }
}
