import { ConnectionConfig, Sandbox, SandboxException, SandboxManager } from '@alibaba-group/opensandbox';
import { expect, test } from 'vitest';
import { newProjectKey, url } from '../../../sdk-ts/test/harness/shared.js';

async function project(): Promise<ConnectionConfig> {
  return new ConnectionConfig({ domain: url, apiKey: await newProjectKey(), disableMetrics: true });
}

async function open(connectionConfig: ConnectionConfig): Promise<Sandbox> {
  return Sandbox.create({ connectionConfig, image: 'ubuntu', timeoutSeconds: 600, env: { FROM_CREATE: 'yes' } });
}

test('a sandbox is created, shown, listed, renewed, connected to and killed', async () => {
  const connectionConfig = await project();
  const sandbox = await Sandbox.create({ connectionConfig, image: 'ubuntu', timeoutSeconds: 600, metadata: { team: 'a b' } });
  const info = await sandbox.getInfo();
  expect(info).toMatchObject({ id: sandbox.id, status: { state: 'Running' }, metadata: { team: 'a b' } });
  await sandbox.renew(3600);
  expect((await sandbox.getInfo()).expiresAt!.getTime()).toBeGreaterThan(info.expiresAt!.getTime());
  const manager = SandboxManager.create({ connectionConfig });
  expect((await manager.listSandboxInfos({ states: ['Running'], metadata: { team: 'a b' } })).items.map((one) => one.id)).toEqual([sandbox.id]);
  expect((await manager.listSandboxInfos({ metadata: { team: 'other' } })).items).toEqual([]);
  const again = await Sandbox.connect({ connectionConfig, sandboxId: sandbox.id });
  expect(await again.isHealthy()).toBe(true);
  await again.kill();
  await expect(sandbox.getInfo()).rejects.toThrow(SandboxException);
});

test('a command has its lines, its variables and its exit code', async () => {
  const sandbox = await open(await project());
  const done = await sandbox.commands.run('echo "$FROM_CREATE $MINE"; echo; printf ü; echo bad >&2', { envs: { MINE: 'x' } });
  expect(done.logs.stdout.map((line) => line.text)).toEqual(['yes x', '', 'ü']);
  expect(done.logs.stderr.map((line) => line.text)).toEqual(['bad']);
  expect(done.exitCode).toBe(0);
  expect((await sandbox.commands.run('pwd', { workingDirectory: '/tmp' })).logs.stdout[0]!.text).toBe('/tmp');
  const failed = await sandbox.commands.run('exit 3');
  expect(failed).toMatchObject({ exitCode: 3, error: { name: 'CommandExecError', value: '3' } });
  expect(failed.complete).toBeUndefined();
  await sandbox.kill();
});

test('a command in the background is looked at, read and interrupted', async () => {
  const sandbox = await open(await project());
  const { id } = await sandbox.commands.run('echo one; echo two >&2; echo ü; exec sleep 1000', { background: true });
  await expect.poll(async () => (await sandbox.commands.getBackgroundCommandLogs(id!)).content, { timeout: 60_000 }).toBe('one\ntwo\nü\n');
  const { cursor } = await sandbox.commands.getBackgroundCommandLogs(id!);
  expect((await sandbox.commands.getBackgroundCommandLogs(id!, cursor)).content).toBe('');
  expect(await sandbox.commands.getCommandStatus(id!)).toMatchObject({ running: true, content: expect.stringMatching(/^echo one/) as string });
  await sandbox.commands.interrupt(id!);
  await expect.poll(async () => (await sandbox.commands.getCommandStatus(id!)).running, { timeout: 60_000 }).toBe(false);
  await sandbox.kill();
});

test('files are written, read in parts, found, changed, moved and removed', async () => {
  const sandbox = await open(await project());
  const bytes = Uint8Array.from({ length: 300_000 }, (_, n) => n % 256);
  await sandbox.files.createDirectories([{ path: '/tmp/f/sub', mode: 755 }]);
  await sandbox.files.writeFiles([
    { path: '/tmp/f/ü b.txt', data: 'one\ntwo\nthree\n', mode: 640 },
    { path: '/tmp/f/sub/bytes', data: bytes },
  ]);
  expect(await sandbox.files.readFile('/tmp/f/ü b.txt')).toBe('one\ntwo\nthree\n');
  expect(Buffer.compare(await sandbox.files.readBytes('/tmp/f/sub/bytes'), bytes)).toBe(0);
  expect(await sandbox.files.readBytes('/tmp/f/sub/bytes', { range: 'bytes=2-4' })).toEqual(bytes.slice(2, 5));
  const info = await sandbox.files.getFileInfo(['/tmp/f/ü b.txt']);
  expect(info['/tmp/f/ü b.txt']).toMatchObject({ size: 14, mode: 640, type: 'file' });
  expect((await sandbox.files.search({ path: '/tmp/f', pattern: '*.txt' })).map((one) => one.path)).toEqual(['/tmp/f/ü b.txt']);
  expect((await sandbox.files.listDirectory({ path: '/tmp/f' })).map((one) => one.type)).toEqual(['directory', 'file']);
  await sandbox.files.replaceContents([{ path: '/tmp/f/ü b.txt', oldContent: 'two', newContent: '2' }]);
  await sandbox.files.moveFiles([{ src: '/tmp/f/ü b.txt', dest: '/tmp/f/moved' }]);
  await sandbox.files.setPermissions([{ path: '/tmp/f/moved', mode: 600 }]);
  expect(await sandbox.files.readFile('/tmp/f/moved')).toBe('one\n2\nthree\n');
  expect((await sandbox.files.getFileInfo(['/tmp/f/moved']))['/tmp/f/moved']!.mode).toBe(600);
  await sandbox.files.deleteFiles(['/tmp/f/moved', '/tmp/f/none']);
  await sandbox.files.deleteDirectories(['/tmp/f']);
  await expect(sandbox.files.getFileInfo(['/tmp/f'])).rejects.toThrow(SandboxException);
  await sandbox.kill();
});

test('metrics, hosts and ports are shown', async () => {
  const sandbox = await open(await project());
  expect((await sandbox.getMetrics()).memoryTotalMiB).toBeGreaterThan(0);
  await sandbox.patchEgressRules([{ action: 'allow', target: 'example.org' }]);
  expect((await sandbox.getEgressPolicy()).egress).toContainEqual({ action: 'allow', target: 'example.org' });
  await sandbox.deleteEgressRules(['example.org']);
  expect((await sandbox.getEgressPolicy()).egress).toEqual([]);
  await sandbox.commands.run('mkdir /tmp/web && echo served >/tmp/web/page && cd /tmp/web && exec python3 -m http.server 8000', { background: true });
  const { endpoint, headers } = await sandbox.getEndpoint(8000);
  expect(endpoint).toMatch(/\/8000$/);
  await expect.poll(async () => (await fetch(`http://${endpoint}/page`, { headers: headers ?? {} })).text(), { timeout: 60_000 }).toBe('served\n');
  expect((await fetch(`http://${endpoint}/page`)).status).toBe(401);
  await sandbox.kill();
});

test('a key of another project gets nothing, and neither does a token of another sandbox', async () => {
  const owner = await project();
  const stranger = await project();
  const sandbox = await open(owner);
  const theirs = await open(stranger);
  await expect(Sandbox.connect({ connectionConfig: stranger, sandboxId: sandbox.id })).rejects.toThrow(SandboxException);
  const manager = SandboxManager.create({ connectionConfig: stranger });
  expect((await manager.listSandboxInfos({})).items.map((one) => one.id)).toEqual([theirs.id]);
  await expect(manager.killSandbox(sandbox.id)).rejects.toThrow(SandboxException);
  const { headers } = await theirs.getEndpoint(44772);
  const { endpoint } = await sandbox.getEndpoint(44772);
  const status = async (more: Record<string, string>) => (await fetch(`http://${endpoint}/files/download?path=/etc/hostname`, { headers: more })).status;
  expect(await status({})).toBe(401);
  expect(await status(headers!)).toBe(401);
  expect(await status({ 'OPEN-SANDBOX-API-KEY': stranger.apiKey! })).toBe(401);
  expect((await sandbox.getInfo()).status.state).toBe('Running');
  await Promise.all([sandbox.kill(), theirs.kill()]);
});

test('a sandbox is paused and resumed', async () => {
  const sandbox = await open(await project());
  await sandbox.pause();
  expect((await sandbox.getInfo()).status.state).toBe('Paused');
  const resumed = await sandbox.resume();
  expect((await resumed.commands.run('echo again')).logs.stdout[0]!.text).toBe('again');
  await resumed.kill();
});

test('what is not served is refused with a sentence', async () => {
  const connectionConfig = await project();
  await expect(Sandbox.create({ connectionConfig, image: 'no-such-image:1' })).rejects.toThrow(/no template 'no-such-image:1'/);
  const sandbox = await open(connectionConfig);
  await expect(sandbox.patchMetadata({ a: 'b' })).rejects.toThrow(/made with/);
  await sandbox.kill();
});
