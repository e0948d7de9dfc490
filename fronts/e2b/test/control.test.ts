import { Sandbox, SandboxNotFoundError } from 'e2b';
import { expect, test } from 'vitest';
import { newProjectKey, url } from '../../../sdk-ts/test/harness/shared.js';

async function project(): Promise<{ apiKey: string; apiUrl: string; sandboxUrl: string }> {
  return { apiKey: await newProjectKey(), apiUrl: url, sandboxUrl: url };
}

test('a sandbox is created, shown, given another end, connected to and killed', async () => {
  const options = await project();
  const sandbox = await Sandbox.create({ ...options, metadata: { team: 'a b&c=d' }, timeoutMs: 600_000 });
  const info = await sandbox.getInfo();
  expect(info).toMatchObject({ sandboxId: sandbox.sandboxId, state: 'running', metadata: { team: 'a b&c=d' } });
  const [used] = await sandbox.getMetrics();
  expect(used!.memTotal).toBeGreaterThan(0);
  await sandbox.setTimeout(60_000);
  const sooner = (await sandbox.getInfo()).endAt.getTime();
  expect(sooner).toBeLessThan(info.endAt.getTime());
  const again = await Sandbox.connect(sandbox.sandboxId, { ...options, timeoutMs: 300_000 });
  expect((await again.getInfo()).endAt.getTime()).toBeGreaterThan(sooner);
  expect(await sandbox.kill()).toBe(true);
  expect(await Sandbox.kill(sandbox.sandboxId, options)).toBe(false);
  await expect(Sandbox.connect(sandbox.sandboxId, options)).rejects.toThrow(SandboxNotFoundError);
});

test('a listing has pages, and a filter by metadata', async () => {
  const options = await project();
  const made = await Promise.all(['1', '2', '3'].map((n) => Sandbox.create({ ...options, metadata: { n, k: 'x&y=ü %' } })));
  const pages = Sandbox.list({ ...options, limit: 2 });
  expect(await pages.nextItems()).toHaveLength(2);
  expect(pages.hasNext).toBe(true);
  expect(await pages.nextItems()).toHaveLength(1);
  expect(pages.hasNext).toBe(false);
  const second = await Sandbox.list({ ...options, query: { metadata: { n: '2', k: 'x&y=ü %' } } }).nextItems();
  expect(second.map((found) => found.metadata.n)).toEqual(['2']);
  await Promise.all(made.map((sandbox) => sandbox.kill()));
});

test('the key of another project neither shows nor ends a sandbox', async () => {
  const owner = await project();
  const sandbox = await Sandbox.create(owner);
  const stranger = await project();
  await expect(Sandbox.getInfo(sandbox.sandboxId, stranger)).rejects.toThrow();
  await expect(Sandbox.kill(sandbox.sandboxId, stranger)).rejects.toThrow();
  await expect(Sandbox.connect(sandbox.sandboxId, stranger)).rejects.toThrow();
  await expect(Sandbox.setTimeout(sandbox.sandboxId, 1_000, stranger)).rejects.toThrow();
  expect(await Sandbox.list(stranger).nextItems()).toEqual([]);
  expect((await Sandbox.getInfo(sandbox.sandboxId, owner)).state).toBe('running');
  await sandbox.kill();
});

test('no key, an unknown template and a snapshot are refused in the form of E2B', async () => {
  const options = await project();
  await expect(Sandbox.create({ ...options, apiKey: 'wrong' })).rejects.toThrow(/401|known or was revoked/);
  await expect(Sandbox.create('no-such-template', options)).rejects.toThrow(/no template 'no-such-template'/);
  const sandbox = await Sandbox.create(options);
  await expect(sandbox.createSnapshot()).rejects.toThrow(/no snapshots/);
  await sandbox.kill();
});

test('a sandbox is paused, and goes on with its programs when somebody connects', async () => {
  const options = await project();
  const sandbox = await Sandbox.create(options);
  const { pid } = await sandbox.commands.run('sleep 1000', { background: true });
  expect(await sandbox.pause()).toBe(true);
  expect(await sandbox.pause()).toBe(false);
  expect((await sandbox.getInfo()).state).toBe('paused');
  expect(await sandbox.isRunning()).toBe(false);
  const again = await Sandbox.connect(sandbox.sandboxId, options);
  expect((await again.getInfo()).state).toBe('running');
  expect((await again.commands.list()).map((one) => one.pid)).toContain(pid);
  await again.kill();
});
