import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  FileExistsError,
  FileNotFoundError,
  FileNotPermittedError,
  FolderNotEmptyError,
  InvalidArchiveError,
  PreconditionFailedError,
  type FileEvent,
  type FileInfo,
  type Sandbox,
} from '../src/index.js';
import { newProject } from './harness/shared.js';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await (await newProject()).sandbox.create({ template: 'default' });
});
afterAll(() => sandbox.delete());

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test('text, bytes, blobs and streams are written and read', async () => {
  expect(await sandbox.files.write('a.txt', 'grüße')).toMatchObject({ name: 'a.txt', type: 'file', size: 7 });
  expect(await sandbox.files.read('a.txt')).toBe('grüße');
  const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 251);
  await sandbox.files.write('a.bin', bytes);
  expect(Buffer.compare(await sandbox.files.readBytes('a.bin'), bytes)).toBe(0);
  await sandbox.files.write('a.blob', new Blob(['of a ', 'blob']));
  expect(await sandbox.files.read('a.blob')).toBe('of a blob');
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of ['one ', 'two']) controller.enqueue(bytesOf(piece));
      controller.close();
    },
  });
  await sandbox.files.upload('deep/er/a.stream', stream);
  expect(await sandbox.files.read('deep/er/a.stream')).toBe('one two');
  expect(await sandbox.process.run('cat /workspace/a.txt')).toMatchObject({ stdout: 'grüße' });
});

test('a part of a file is read, and a download tells its size and version', async () => {
  await sandbox.files.write('digits', '0123456789');
  expect(await sandbox.files.read('digits', { offset: 3, length: 4 })).toBe('3456');
  expect(await sandbox.files.read('digits', { offset: 8 })).toBe('89');
  expect(await sandbox.files.read('digits', { length: 2 })).toBe('01');
  const { size, etag, stream } = await sandbox.files.download('digits');
  await stream.cancel();
  expect(size).toBe(10);
  expect(etag).toBe((await sandbox.files.stat('digits')).etag);
});

test('writes hold to what the caller has seen', async () => {
  const { etag } = await sandbox.files.write('once', '1', { onlyNew: true });
  await expect(sandbox.files.write('once', '2', { onlyNew: true })).rejects.toThrow(PreconditionFailedError);
  await sandbox.files.write('once', '3', { ifMatch: etag });
  await expect(sandbox.files.write('once', '4', { ifMatch: etag })).rejects.toThrow(PreconditionFailedError);
  expect(await sandbox.files.read('once')).toBe('3');
});

test('folders are made, listed page by page, moved and removed', async () => {
  expect(await sandbox.files.makeDir('tree/a/b')).toMatchObject({ type: 'folder' });
  await sandbox.files.makeDir('tree/a/b');
  for (const name of ['1', '2', '3']) await sandbox.files.write(`tree/a/${name}`, name);
  const names: string[] = [];
  for await (const entry of sandbox.files.list('tree/a', { limit: 2 })) names.push(entry.name);
  expect(names).toEqual(['1', '2', '3', 'b']);
  const { items, nextCursor } = await sandbox.files.list('tree', { depth: 2, limit: 1 });
  expect(items).toHaveLength(1);
  expect(nextCursor).not.toBeNull();

  await sandbox.files.write('tree/taken', 'x');
  await expect(sandbox.files.move('tree/a/1', 'tree/taken')).rejects.toThrow(FileExistsError);
  await sandbox.files.move('tree/a/1', 'tree/taken', { overwrite: true });
  expect(await sandbox.files.read('tree/taken')).toBe('1');
  await expect(sandbox.files.remove('tree')).rejects.toThrow(FolderNotEmptyError);
  await sandbox.files.remove('tree', { recursive: true });
  await expect(sandbox.files.stat('tree')).rejects.toThrow(FileNotFoundError);
});

test('modes, links and users are as inside', async () => {
  await sandbox.files.write('script', '#!/bin/sh\necho ran\n', { mode: '0755' });
  expect(await sandbox.process.run('./script')).toMatchObject({ stdout: 'ran\n' });
  expect(await sandbox.files.change('script', { mode: '0600' })).toMatchObject({ mode: '0600' });
  await sandbox.process.run('ln -s script led');
  expect(await sandbox.files.stat('led')).toMatchObject({ type: 'link', target: 'script' });
  await expect(sandbox.files.write('/etc/motd', 'x')).rejects.toThrow(FileNotPermittedError);
  const error = await sandbox.files.read('nothing').catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(FileNotFoundError);
  expect((error as Error).message).toContain('nothing');
});

test('a folder leaves as an archive and comes back as one', async () => {
  await sandbox.files.upload('pack/x/y', 'inside');
  for (const format of ['tar', 'tar.gz'] as const) {
    const packed = new Uint8Array(await new Response(await sandbox.files.archive('pack', format)).arrayBuffer());
    await sandbox.files.unpack(`again-${format}`, packed);
    expect(await sandbox.files.read(`again-${format}/x/y`)).toBe('inside');
  }
  const zip = new Uint8Array(await new Response(await sandbox.files.archive('pack', 'zip')).arrayBuffer());
  expect(Buffer.from(zip.subarray(0, 2)).toString()).toBe('PK');
  await expect(sandbox.files.unpack('bad', bytesOf('no archive at all'.padEnd(1024, '.')))).rejects.toThrow(InvalidArchiveError);
});

test('a watch tells what changes, until it is left', async () => {
  await sandbox.files.makeDir('seen/below');
  const events: FileEvent[] = [];
  const writing = setInterval(() => void sandbox.files.write('seen/below/new', String(Date.now())).catch(() => undefined), 200);
  try {
    for await (const event of sandbox.files.watch('seen', { recursive: true })) {
      events.push(event);
      if (event.type !== 'overflow' && event.path.endsWith('below/new')) break;
    }
  } finally {
    clearInterval(writing);
  }
  expect(events.at(-1)).toMatchObject({ folder: false });
});

test('a link reads or writes one path, without a key', async () => {
  await sandbox.files.write('shared', 'for you');
  const get = await sandbox.files.link({ path: 'shared', expiresInSeconds: 60 });
  expect(get.method).toBe('GET');
  expect(await (await fetch(get.url)).text()).toBe('for you');
  expect((await fetch(get.url, { method: 'PUT', body: 'x' })).ok).toBe(false);
  const put = await sandbox.files.link({ path: 'dropped', method: 'PUT', expiresInSeconds: 60 });
  expect((await fetch(put.url, { method: 'PUT', body: 'by a stranger' })).ok).toBe(true);
  expect(await sandbox.files.read('dropped')).toBe('by a stranger');
});

test('an upload of many megabytes keeps its pace and its bytes', async () => {
  const piece = new Uint8Array(1 << 20).fill(7);
  let left = 40;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left-- > 0) controller.enqueue(piece);
      else controller.close();
    },
  });
  expect((await sandbox.files.upload('big', stream)).size).toBe(40 << 20);
  const { stdout } = await sandbox.process.run('tr -d "\\007" < big | wc -c');
  expect(stdout.trim()).toBe('0');
  let read = 0;
  for await (const part of (await sandbox.files.download('big')).stream as unknown as AsyncIterable<Uint8Array>) read += part.byteLength;
  expect(read).toBe(40 << 20);
  const entries: FileInfo[] = [];
  for await (const entry of sandbox.files.list('.')) entries.push(entry);
  expect(entries.find(({ name }) => name === 'big')?.size).toBe(40 << 20);
});
