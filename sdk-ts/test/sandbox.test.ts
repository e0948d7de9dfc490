import { expect, test } from 'vitest';
import { RequestError, SandboxError, WorkspaceError } from '../src/index.js';
import { newProject } from './harness/shared.js';

test('a listing is a page, and all pages', async () => {
  const client = await newProject();
  await Promise.all([1, 2, 3].map((n) => client.sandbox.create({ template: 'default', labels: { n: `${n}`, all: 'yes' } })));
  const page = await client.sandbox.list({ limit: 2 });
  expect(page.items).toHaveLength(2);
  expect(page.nextCursor).not.toBeNull();
  const seen: string[] = [];
  for await (const sandbox of client.sandbox.list({ limit: 2, labels: { all: 'yes' } })) seen.push(sandbox.labels.n ?? '');
  expect(seen.sort()).toEqual(['1', '2', '3']);
  expect((await client.sandbox.list({ labels: { n: '2' } })).items).toHaveLength(1);
  await client.sandbox.batchDelete((await client.sandbox.list()).items.map((sandbox) => sandbox.id));
});

test('a sandbox is extended, stopped, started and has logs, figures and a history', async () => {
  const client = await newProject();
  const sandbox = await client.sandbox.create({ template: 'default', timeoutSeconds: 600 });
  const end = Date.parse(sandbox.expiresAt);
  await sandbox.extend(60);
  expect(Date.parse(sandbox.expiresAt)).toBe(end + 60_000);
  expect((await sandbox.stats()).memory.limit).toBeGreaterThan(0);
  expect(await sandbox.logs({ tail: 10 })).toHaveProperty('lines');
  await sandbox.process.run('echo kept > note');
  expect((await sandbox.stop()).state).toBe('stopped');
  expect(sandbox.stopReason).toBe('user');
  expect((await sandbox.start()).state).toBe('running');
  expect(sandbox.stopReason).toBeUndefined();
  expect((await sandbox.process.run('cat note')).stdout).toBe('kept\n');
  const types: string[] = [];
  for await (const event of client.sandbox.history(sandbox.id, { limit: 2 })) types.push(event.type);
  expect(types).toEqual(expect.arrayContaining(['sandbox.created', 'sandbox.running', 'sandbox.stopped']));
  await sandbox.delete({ keepWorkspace: true });
  const kept = await client.workspaces.list();
  expect(kept.items.map((workspace) => workspace.id)).toContain(sandbox.id);
  await client.workspaces.delete(sandbox.id);
});

test('what a sandbox may reach is said at its making and changed later', async () => {
  const client = await newProject();
  await using sandbox = await client.sandbox.create({ template: 'default', egress: { allow: ['allowed.example'] } });
  expect(sandbox.egress.allow).toEqual(['allowed.example:443']);
  const ask = async (host: string): Promise<string> =>
    (await sandbox.process.run(`printf 'CONNECT ${host}:443 HTTP/1.1\\r\\n\\r\\n' | python3 -c "import socket,sys; s=socket.create_connection(('127.0.0.1',3128)); s.sendall(sys.stdin.buffer.read()); print(s.recv(4096).decode())"`)).stdout;
  expect(await ask('other.example')).toContain('403 This sandbox may not reach other.example:443');
  await sandbox.setEgress(['*.other.example:8443']);
  expect(sandbox.egress.allow).toEqual(['*.other.example:8443']);
  expect(await ask('allowed.example')).toContain('403 ');
  await expect(sandbox.setEgress(['*'])).rejects.toThrow('is not a host');
  expect((await sandbox.refresh()).egress.allow).toEqual(['*.other.example:8443']);
});

test('a create that is repeated with its key gives the same sandbox', async () => {
  const client = await newProject();
  const idempotencyKey = crypto.randomUUID();
  const first = await client.sandbox.create({ template: 'default' }, { idempotencyKey });
  const second = await client.sandbox.create({ template: 'default' }, { idempotencyKey });
  expect(second.id).toBe(first.id);
  await first.delete();
});

test('a create need not be waited for', async () => {
  const client = await newProject();
  const sandbox = await client.sandbox.create({ template: 'default' }, { wait: false });
  await expect.poll(async () => (await sandbox.refresh()).state).toBe('running');
  await sandbox.delete();
});

test('plain data can be stored and shown', async () => {
  const client = await newProject();
  await using sandbox = await client.sandbox.create({ template: 'default' });
  const text = JSON.parse(JSON.stringify(sandbox)) as Record<string, unknown>;
  expect(text.id).toBe(sandbox.id);
  expect(text).not.toHaveProperty('process');
});

test('every error is a WorkspaceError with its number and family', async () => {
  const client = await newProject();
  const missing = await client.sandbox.get('sbx-nothing').catch((error: unknown) => error);
  expect(missing).toBeInstanceOf(SandboxError);
  expect(missing).toBeInstanceOf(WorkspaceError);
  expect(missing).toMatchObject({ code: 2001, name: 'SANDBOX_NOT_FOUND', status: 404 });
  expect((missing as WorkspaceError).requestId).toBeTruthy();
  const senseless = await client.sandbox.create({ template: 'default', timeoutSeconds: -1 }).catch((error: unknown) => error);
  expect(senseless).toBeInstanceOf(RequestError);
});
