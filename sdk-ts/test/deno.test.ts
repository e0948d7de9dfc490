import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newProjectKey, url } from './harness/shared.js';

const deno = process.env.BIVOUAC_DENO ?? 'deno';

function hasDeno(): boolean {
  try {
    execFileSync(deno, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Where there is a Deno: on the path, or named by BIVOUAC_DENO.
test.skipIf(!hasDeno())('Deno runs the package as it was built', async () => {
  const story = join(import.meta.dirname, 'deno/story.js');
  const words = ['run', '--no-lock', '--allow-net', '--allow-env', '--allow-read', story, url, await newProjectKey()];
  const { stdout } = await promisify(execFile)(deno, words, { timeout: 100_000 });
  expect(stdout.trim().split('\n')).toEqual(['run 2', 'streamed', 'exit 3', 'attached', '20 90']);
});
