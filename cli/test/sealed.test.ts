import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bivouac, home } from './bivouac.js';

let id: string;

beforeAll(async () => {
  const made = await bivouac(['sandbox', 'create', '--json', '-l', 'of=cli-sealed']);
  id = (JSON.parse(made.stdout) as { id: string }).id;
});
afterAll(() => bivouac(['sandbox', 'delete', id]));

const file = (name: string): string => join(home, 'bivouac', name);

test('a sealed command shows its output, and keeps key and host where only the user reads them', async () => {
  const first = await bivouac(['exec', '-t', '--sealed', id, '--', 'sh', '-c', 'echo sealed-$((6*7)); exit 3']);
  expect(first).toMatchObject({ code: 3, stdout: expect.stringContaining('sealed-42') as string, stderr: expect.stringContaining('new host key SHA256:') as string });
  for (const name of ['seal-key', 'known-hosts']) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  const again = await bivouac(['exec', '-t', '--sealed', id, '--', 'true']);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const key = JSON.parse((await bivouac(['terminal', 'key', '--json'])).stdout) as { publicKey: string };
  expect(key.publicKey).toHaveLength(44);
});

test('a host key that has changed, or is not the one that was named, ends the attempt', async () => {
  await bivouac(['exec', '-t', '--sealed', id, '--', 'true']);
  const named = await bivouac(['exec', '-t', '--host-key', `SHA256:${'A'.repeat(43)}`, id, '--', 'true']);
  expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('is known of it') as string });
  const kept = readFileSync(file('known-hosts'), 'utf8');
  writeFileSync(file('known-hosts'), kept.replaceAll(/ [^ ]+\n/g, ` ${Buffer.alloc(32, 1).toString('base64')}\n`));
  const changed = await bivouac(['exec', '-t', '--sealed', id, '--', 'cat']);
  expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('is known of it') as string });
  writeFileSync(file('known-hosts'), kept);
});

test('only terminals can be sealed', async () => {
  expect(await bivouac(['exec', '--sealed', id, '--', 'true'])).toMatchObject({ code: 2, stderr: expect.stringContaining('-it') as string });
});
