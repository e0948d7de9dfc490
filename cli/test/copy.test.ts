import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bivouac, environment, home } from './bivouac.js';
import { BIVOUAC, Person } from './person.js';

let id: string;
const here = join(home, 'files');

beforeAll(async () => {
  id = (JSON.parse((await bivouac(['sandbox', 'create', '--json'])).stdout) as { id: string }).id;
  mkdirSync(join(here, 'folder/below'), { recursive: true });
  writeFileSync(join(here, 'folder/below/deep'), 'deep');
  writeFileSync(join(here, 'folder/top'), 'top');
  writeFileSync(join(here, 'script.sh'), '#!/bin/sh\necho ran\n');
  chmodSync(join(here, 'script.sh'), 0o755);
});
afterAll(() => bivouac(['sandbox', 'delete', id]));

async function inside(command: string): Promise<string> {
  return (await bivouac(['exec', id, '--', 'sh', '-c', command])).stdout;
}

test('a file goes in with its bytes and mode, and comes out again', async () => {
  const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 253));
  writeFileSync(join(here, 'bytes'), bytes);
  expect(await bivouac(['cp', join(here, 'bytes'), `${id}:in/bytes`])).toMatchObject({ code: 0, stderr: '' });
  expect(await bivouac(['cp', `${id}:in/bytes`, join(here, 'back')])).toMatchObject({ code: 0 });
  expect(readFileSync(join(here, 'back')).equals(bytes)).toBe(true);
  // Into a folder that is there it keeps its name.
  await bivouac(['cp', join(here, 'script.sh'), `${id}:in`]);
  expect(await inside('in/script.sh')).toBe('ran\n');
  await bivouac(['cp', `${id}:in/script.sh`, here]);
  expect(statSync(join(here, 'script.sh')).mode & 0o700).toBe(0o700);
  writeFileSync(join(here, 'empty'), '');
  await bivouac(['cp', join(here, 'empty'), `${id}:empty`]);
  expect(await inside('wc -c < empty')).toBe('0\n');
});

test('a folder goes both ways, into one that is there or to a new name', async () => {
  expect(await bivouac(['cp', join(here, 'folder'), `${id}:copied`])).toMatchObject({ code: 0 });
  expect(await inside('cat copied/top copied/below/deep')).toBe('topdeep');
  await bivouac(['cp', join(here, 'folder'), `${id}:copied`]);
  expect(await inside('cat copied/folder/below/deep')).toBe('deep');
  expect(await bivouac(['cp', `${id}:copied`, join(here, 'out')])).toMatchObject({ code: 0 });
  expect(readFileSync(join(here, 'out/below/deep'), 'utf8')).toBe('deep');
  await bivouac(['cp', `${id}:copied/below`, join(here, 'out/folder')]);
  expect(readFileSync(join(here, 'out/folder/below/deep'), 'utf8')).toBe('deep');
});

test('- is standard input and output', async () => {
  expect(await bivouac(['cp', '-', `${id}:piped`], { input: 'from a pipe' })).toMatchObject({ code: 0 });
  expect((await bivouac(['cp', `${id}:piped`, '-'])).stdout).toBe('from a pipe');
  const packed = await bivouac(['cp', `${id}:copied`, '-']);
  expect(packed.stdout).toContain('below/deep');
});

test('a person sees how far a copy is, and what was copied', async () => {
  writeFileSync(join(here, 'large'), Buffer.alloc(60_000_000, 1));
  const person = Person.at('copying', `${BIVOUAC} cp ${join(here, 'large')} ${id}:large`, environment());
  await person.sees(/Copied 60\.0 MB to large in \d/);
  await person.sees('ended with 0');
  expect(await inside('wc -c < large')).toBe('60000000\n');
});

test('what cannot be copied is said, and leaves nothing', async () => {
  expect(await bivouac(['cp', join(here, 'none'), `${id}:x`])).toMatchObject({ code: 2, stderr: expect.stringContaining('none') as string });
  expect(await bivouac(['cp', 'a', 'b'])).toMatchObject({ code: 2, stderr: expect.stringContaining('sbx-') as string });
  expect(await bivouac(['cp', `${id}:none`, join(here, 'none')])).toMatchObject({ code: 1, stderr: expect.stringContaining('none') as string });
  expect(await bivouac(['cp', join(here, 'folder/top'), `${id}:/etc/top`])).toMatchObject({ code: 1, stderr: expect.stringContaining('/etc') as string });
  expect(await bivouac(['cp', join(here, 'folder/top'), 'sbx-none:x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no sandbox') as string });
  expect(readdirSync(here).filter((name) => name.startsWith('.') || name === 'none')).toEqual([]);
});

test('a folder of the sandbox is listed', async () => {
  expect((await bivouac(['sandbox', 'ls', id, 'copied'])).stdout).toBe('below/\nfolder/\ntop\n');
  const long = (await bivouac(['sandbox', 'ls', '-l', id, 'copied'])).stdout;
  expect(long).toMatch(/-0\d{3} +\S+:\S+ +3 +.* top/);
  expect((await bivouac(['sandbox', 'ls', id, 'copied', '--depth', '3'])).stdout).toContain('below/deep');
  const [entry] = JSON.parse((await bivouac(['sandbox', 'ls', id, 'copied/below', '--json'])).stdout) as Array<{ name: string }>;
  expect(entry).toMatchObject({ name: 'deep', size: 4 });
  expect(await bivouac(['sandbox', 'ls', id, 'copied/top'])).toMatchObject({ code: 1 });
  expect((await bivouac(['sandbox', 'ls', id, 'nowhere'])).stderr).toContain('nowhere');
});
