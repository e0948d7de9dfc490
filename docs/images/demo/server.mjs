import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LONGEST_START = 120_000;

/** A server from the distribution, on a data folder and a port of its own. */
export class DemoServer {
  #process;

  constructor(process, url, key) {
    this.#process = process;
    this.url = url;
    this.key = key;
  }

  static async start(distribution, data) {
    const child = spawn(join(distribution, 'bin/bivouac-server'), {
      env: { ...process.env, BIVOUAC_DATA_DIR: data, BIVOUAC_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise((resolve, reject) => {
      let said = '';
      const late = setTimeout(() => reject(new Error(`The server is not ready: ${said}`)), LONGEST_START);
      child.stdout.on('data', (bytes) => {
        said += bytes;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
        if (found) {
          clearTimeout(late);
          resolve(found[0]);
        }
      });
      child.on('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
    });
    return new DemoServer(child, url, readFileSync(join(data, 'api-key'), 'utf8').trim());
  }

  /** Makes and deletes some sandboxes: a server that has just started is still being compiled. */
  async warmUp(count) {
    for (let made = 0; made < count; made++) {
      const { id } = await (await this.#call('POST', '', { template: 'default' })).json();
      await this.#call('DELETE', `/${id}`);
    }
  }

  /** Deletes the sandboxes first: they would outlive the server. */
  async stop() {
    const listing = await (await this.#call('GET', '')).json();
    for (const { id } of listing.items) await this.#call('DELETE', `/${id}`);
    const ended = new Promise((resolve) => this.#process.on('exit', resolve));
    this.#process.kill('SIGTERM');
    await ended;
  }

  #call(method, path, body) {
    const headers = { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' };
    return fetch(`${this.url}/api/v1/sandboxes${path}`, { method, headers, body: body && JSON.stringify(body) });
  }
}
