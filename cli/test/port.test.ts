import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { bivouac as run, environment as shared, PROGRAM } from './bivouac.js';

const PATIENCE = { timeout: 60_000, interval: 200 };

test('ports are listed, and forwarded to this machine', async () => {
  const env = { ...shared(), BIVOUAC_API_KEY: await newProjectKey() };
  const bivouac = (...words: string[]) => run(words, { env });
  const { id } = JSON.parse((await bivouac('sandbox', 'create', '--json')).stdout) as { id: string };
  expect(await bivouac('sandbox', 'ports', id)).toMatchObject({ code: 0, stdout: 'No program listens.\n' });
  expect(await bivouac('port-forward', id, 'x:80')).toMatchObject({ code: 2, stderr: expect.stringContaining('8080:80') as string });

  const forwarding = spawn(process.execPath, [PROGRAM, 'port-forward', id, ':8000'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  forwarding.stdout.on('data', (text: Buffer) => (said += text.toString()));
  forwarding.stderr.on('data', (text: Buffer) => (said += text.toString()));
  await expect.poll(() => said, PATIENCE).toContain('leads to port 8000');
  const url = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(said)?.[1]}/`;
  await expect(fetch(url)).rejects.toThrow();
  await expect.poll(() => said, PATIENCE).toContain('No program answers on port 8000');

  await bivouac('exec', id, '--', 'sh', '-c', 'cd /tmp && echo carried > index.html && (setsid python3 -m http.server 8000 >/dev/null 2>&1 &)');
  await expect.poll(async () => (await bivouac('sandbox', 'ports', id)).stdout, PATIENCE).toMatch(/8000 +python3/);
  const answers = await Promise.all(Array.from({ length: 8 }, async () => (await fetch(url)).text()));
  expect(new Set(answers)).toEqual(new Set(['carried\n']));
  forwarding.kill('SIGINT');
  await once(forwarding, 'close');
  await expect(fetch(url)).rejects.toThrow();
  await bivouac('sandbox', 'delete', id);
});
