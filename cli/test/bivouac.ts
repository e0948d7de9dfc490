import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { key, url } from '../../sdk-ts/test/harness/shared.js';

export const PROGRAM = join(import.meta.dirname, '../dist/bivouac.js');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A home of its own: nobody's login is used or changed. */
export const home = mkdtempSync(join(tmpdir(), 'bivouac-cli-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

export function environment(): NodeJS.ProcessEnv {
  return { ...process.env, XDG_CONFIG_HOME: home, BIVOUAC_URL: url, BIVOUAC_API_KEY: key };
}

/** Runs the program as a user does; input is piped in, or there is none. */
export function bivouac(words: string[], options: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      env: options.env ?? environment(),
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout?.on('data', (bytes: Buffer) => (stdout += bytes.toString()));
    child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    // A command may end before it has read everything.
    child.stdin?.on('error', (failure: NodeJS.ErrnoException) => {
      if (failure.code !== 'EPIPE') reject(failure);
    });
    child.stdin?.end(options.input);
  });
}
