import { FileNotFoundError, FilesystemEventType, FileType, Sandbox, type FilesystemEvent } from 'e2b';
import { expect, test } from 'vitest';
import { newProjectKey, url } from '../../../sdk-ts/test/harness/shared.js';

async function open(): Promise<Sandbox> {
  return Sandbox.create({ apiKey: await newProjectKey(), apiUrl: url, sandboxUrl: url });
}

test('files are written and read, as text, as bytes and as a stream', async () => {
  const sandbox = await open();
  await sandbox.files.write('/tmp/new/ü b.txt', 'some text ü');
  expect(await sandbox.files.read('/tmp/new/ü b.txt')).toBe('some text ü');
  const bytes = Uint8Array.from({ length: 300_000 }, (_, n) => n % 256);
  await sandbox.files.write('/tmp/bytes', bytes.buffer);
  expect(Buffer.compare(await sandbox.files.read('/tmp/bytes', { format: 'bytes' }), bytes)).toBe(0);
  await sandbox.files.write('/tmp/stream', bytes.buffer, { useOctetStream: true });
  expect(Buffer.compare(await sandbox.files.read('/tmp/stream', { format: 'bytes' }), bytes)).toBe(0);
  await sandbox.files.write('/tmp/empty', '');
  expect(await sandbox.files.read('/tmp/empty')).toBe('');
  const two = await sandbox.files.write([
    { path: '/tmp/one', data: '1' },
    { path: '/tmp/two', data: '2' },
  ]);
  expect(two.map((file) => file.path)).toEqual(['/tmp/one', '/tmp/two']);
  await expect(sandbox.files.read('/tmp/none')).rejects.toThrow(FileNotFoundError);
  await sandbox.kill();
});

test('folders are made and listed, and entries are moved and removed', async () => {
  const sandbox = await open();
  expect(await sandbox.files.makeDir('/tmp/a/b')).toBe(true);
  expect(await sandbox.files.makeDir('/tmp/a/b')).toBe(false);
  await sandbox.files.write('/tmp/a/file', 'x');
  const listed = await sandbox.files.list('/tmp/a');
  expect(listed.map((entry) => [entry.name, entry.type])).toEqual([
    ['b', FileType.DIR],
    ['file', FileType.FILE],
  ]);
  expect(await sandbox.files.getInfo('/tmp/a/file')).toMatchObject({ size: 1, mode: 0o644, permissions: '-rw-r--r--' });
  await sandbox.files.rename('/tmp/a/file', '/tmp/a/moved');
  expect(await sandbox.files.exists('/tmp/a/file')).toBe(false);
  expect(await sandbox.files.exists('/tmp/a/moved')).toBe(true);
  await sandbox.files.remove('/tmp/a');
  expect(await sandbox.files.exists('/tmp/a')).toBe(false);
  await sandbox.kill();
});

test('a form of any size is written', async () => {
  const sandbox = await open();
  const size = 40 * 1024 * 1024;
  await sandbox.files.write('/tmp/large', new Uint8Array(size).fill(7).buffer);
  expect((await sandbox.files.getInfo('/tmp/large')).size).toBe(size);
  expect((await sandbox.commands.run("tr -d '\\7' </tmp/large | wc -c")).stdout.trim()).toBe('0');
  await sandbox.kill();
});

test('a folder is watched until that is stopped', async () => {
  const sandbox = await open();
  await sandbox.files.makeDir('/tmp/watched/below');
  const seen: FilesystemEvent[] = [];
  const watch = await sandbox.files.watchDir('/tmp/watched', (event) => void seen.push(event), { recursive: true });
  await sandbox.files.write('/tmp/watched/below/new', 'x');
  await expect.poll(() => seen.map((event) => event.name), { timeout: 60_000 }).toContain('below/new');
  await sandbox.files.remove('/tmp/watched/below/new');
  await expect.poll(() => seen.filter((event) => event.type === FilesystemEventType.REMOVE).map((event) => event.name), { timeout: 60_000 }).toContain('below/new');
  await watch.stop();
  await sandbox.kill();
});
