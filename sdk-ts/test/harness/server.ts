import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const DISTRIBUTION = join(import.meta.dirname, '../../../launcher/target/bivouac');
const START_TIMEOUT = 180_000;

/** A real server from the distribution, with a data folder of its own. */
export class TestServer {
  readonly key = 'bvk_tests-of-what-users-hold';
  private process: ChildProcess | undefined;

  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly settings: Record<string, string>,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<TestServer> {
    if (!existsSync(join(DISTRIBUTION, 'bin/bivouac-server'))) {
      throw new Error('There is no distribution; make it with: ./gradlew build -x test');
    }
    const folder = mkdtempSync(join(tmpdir(), 'bivouac-sdk-'));
    // PostgreSQL may run as another user than the tests.
    chmodSync(folder, 0o755);
    const server = new TestServer(`http://127.0.0.1:${await freePort()}`, folder, settings);
    await server.run();
    return server;
  }

  get port(): string {
    return new URL(this.url).port;
  }

  private async run(): Promise<void> {
    const output = join(this.folder, 'output');
    const file = openSync(output, 'a');
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BIVOUAC_')));
    this.process = spawn(join(DISTRIBUTION, 'bin/bivouac-server'), [], {
      env: {
        ...environment,
        BIVOUAC_DATA_DIR: join(this.folder, 'data'),
        BIVOUAC_PORT: this.port,
        BIVOUAC_API_KEY: this.key,
        ...this.settings,
      },
      stdio: ['ignore', file, file],
    });
    const deadline = Date.now() + START_TIMEOUT;
    while (!(await this.isReady())) {
      if (this.process.exitCode !== null || Date.now() > deadline) {
        throw new Error(`The server did not start: ${readFileSync(output, 'utf8')}`);
      }
      await delay(100);
    }
  }

  private async isReady(): Promise<boolean> {
    return fetch(`${this.url}/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  /** Ends it as a crash would, and starts it again with the same data. */
  async restart(): Promise<void> {
    await this.end('SIGKILL');
    await this.run();
  }

  /** Sandboxes outlive a server: they are deleted first. */
  async stop(): Promise<void> {
    await this.deleteAll();
    await this.end('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Where tests leave the keys of projects that they made. */
  get keysFile(): string {
    return join(this.folder, 'keys');
  }

  private async deleteAll(): Promise<void> {
    const made = existsSync(this.keysFile) ? readFileSync(this.keysFile, 'utf8').trim().split('\n') : [];
    for (const key of [this.key, ...made]) await this.deleteAllOf(key);
  }

  private async deleteAllOf(key: string): Promise<void> {
    const headers = { Authorization: `Bearer ${key}` };
    const all = (await (await fetch(`${this.url}/api/v1/sandboxes?limit=500`, { headers })).json()) as { items: Array<{ id: string }> };
    for (const { id } of all.items) await fetch(`${this.url}/api/v1/sandboxes/${id}`, { method: 'DELETE', headers });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const ending = this.process;
    if (ending?.exitCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await ended;
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer();
    listener.on('error', reject);
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      listener.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
