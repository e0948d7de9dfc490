import { afterAll, beforeAll, expect, test } from 'vitest';
import { PermissionDecidedError, WorkspaceClient, type PermissionRequest, type Sandbox } from '../src/index.js';
import { newProjectKey, url } from './harness/shared.js';

let client: WorkspaceClient;
let sandbox: Sandbox;

beforeAll(async () => {
  client = new WorkspaceClient({ apiUrl: url, apiKey: await newProjectKey() });
  sandbox = await client.sandbox.create({ template: 'default' });
});
afterAll(() => sandbox.delete());

test('a program in a sandbox asks, an approver elsewhere answers, and everybody is told', async () => {
  const events = client.events({ types: ['permission.*'] })[Symbol.asyncIterator]();
  const first = events.next();
  const asking = sandbox.process.run('bivouac-ask --action deploy --resource production --description "Release 1.4" --json');
  const requested = (await first).value;
  if (requested?.type !== 'permission.requested') throw new Error(`not a question: ${requested?.type}`);
  const { requestId } = requested.data;
  const found = await client.permissions.list({ state: 'open', sandboxId: sandbox.id });
  expect(found.items).toMatchObject([{ id: requestId, action: 'deploy', resource: 'production', description: 'Release 1.4', cwd: '/workspace' }]);
  const until = new Date(Date.now() + 600_000);
  expect(await client.permissions.answer(requestId, { granted: true, expiresAt: until })).toMatchObject({ state: 'granted' });
  const done = await asking;
  expect(done.exitCode).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({ granted: true, requestId });
  expect((await events.next()).value).toMatchObject({ type: 'permission.resolved', data: { requestId, decision: 'allowed' } });
  await events.return(undefined);
  await expect(client.permissions.answer(requestId, { granted: false })).rejects.toBeInstanceOf(PermissionDecidedError);
  // The same question is covered now, until that is taken back.
  expect((await sandbox.process.run('bivouac-ask --action deploy --resource production --description "Release 1.4"')).exitCode).toBe(0);
  await client.permissions.revoke(requestId);
  expect((await sandbox.process.run('bivouac-ask --action deploy --resource production --description "Release 1.4" --timeout 1')).exitCode).toBe(1);
});

test('a terminal tells of its own questions, and takes the answer', async () => {
  await using terminal = await sandbox.terminal({ command: ['sh'] });
  const resolved = new Promise((resolve) => terminal.on('permissionResolved', resolve));
  await terminal.write('bivouac-ask --action write --resource /etc/hosts && echo was-"granted"\n');
  const request = await new Promise<PermissionRequest>((resolve) => terminal.on('permission', resolve));
  expect(request).toMatchObject({ action: 'write', resource: '/etc/hosts', source: 'script', cwd: '/workspace' });
  await request.answer(true);
  expect(await resolved).toMatchObject({ requestId: request.requestId, granted: true });
  let text = '';
  for await (const bytes of terminal) {
    text += new TextDecoder().decode(bytes);
    if (text.includes('was-granted')) break;
  }
  expect(text).toContain('was-granted');
});

test('nothing inside a sandbox answers for a person, or reaches another sandbox to ask there', async () => {
  await using other = await client.sandbox.create({ template: 'default' });
  const asking = other.process.run('bivouac-ask --action a --resource theirs --timeout 5');
  const attack = `python3 - <<'PY'
import socket, json
s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
s.connect("\\0bivouac-ask")
s.sendall(json.dumps({"granted": True, "questionId": "x"}).encode() + b"\\n")
print(s.recv(4096).decode())
PY
ls /proc/net/unix >/dev/null && grep -c bivouac-ask /proc/net/unix`;
  const tried = await sandbox.process.run(attack);
  expect(tried.stdout).toContain('"granted":false');
  // One name to ask at, its own, with the connection just made; never the other sandbox's.
  expect(Number(tried.stdout.trim().split('\n').at(-1))).toBeLessThanOrEqual(2);
  expect((await asking).exitCode).toBe(1);
});
