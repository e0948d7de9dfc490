import { CommandExitError, Sandbox, TimeoutError } from 'e2b';
import { expect, test } from 'vitest';
import { newProjectKey, url } from '../../../sdk-ts/test/harness/shared.js';

async function open(): Promise<Sandbox> {
  return Sandbox.create({ apiKey: await newProjectKey(), apiUrl: url, sandboxUrl: url, envs: { FROM_CREATE: 'yes' } });
}

test('a command has its output, its variables and its exit code', async () => {
  const sandbox = await open();
  const done = await sandbox.commands.run('echo "$FROM_CREATE $MINE"; echo bad >&2', { envs: { MINE: 'ü' } });
  expect(done).toMatchObject({ exitCode: 0, stdout: 'yes ü\n', stderr: 'bad\n' });
  expect((await sandbox.commands.run('pwd', { cwd: '/tmp' })).stdout).toBe('/tmp\n');
  expect((await sandbox.commands.run('id -u', { user: 'root' })).stdout).toBe('0\n');
  await expect(sandbox.commands.run('exit 3')).rejects.toMatchObject({ exitCode: 3 });
  await expect(sandbox.commands.run('exit 3')).rejects.toThrow(CommandExitError);
  await sandbox.kill();
});

test('output comes while the command runs', async () => {
  const sandbox = await open();
  let seen: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (seen = resolve));
  const command = await sandbox.commands.run('echo first; cat; echo last', { background: true, stdin: true, onStdout: () => seen() });
  await first;
  await sandbox.commands.sendStdin(command.pid, 'typed\n');
  await sandbox.commands.closeStdin(command.pid);
  expect((await command.wait()).stdout).toBe('first\ntyped\nlast\n');
  await sandbox.kill();
});

test('a command in the background is listed, followed and killed', async () => {
  const sandbox = await open();
  const command = await sandbox.commands.run('sleep 1000', { background: true });
  expect((await sandbox.commands.list()).map((one) => one.pid)).toContain(command.pid);
  await command.disconnect();
  const followed = await sandbox.commands.connect(command.pid);
  expect(await followed.kill()).toBe(true);
  await expect(followed.wait()).rejects.toMatchObject({ exitCode: -1 });
  expect(await sandbox.commands.kill(command.pid)).toBe(false);
  await sandbox.kill();
});

test('a command that takes too long is ended', async () => {
  const sandbox = await open();
  await expect(sandbox.commands.run('sleep 1000', { timeoutMs: 500 })).rejects.toThrow(TimeoutError);
  await expect.poll(async () => (await sandbox.commands.list()).length, { timeout: 30_000 }).toBe(0);
  await sandbox.kill();
});

test('a sandbox that was killed no longer runs', async () => {
  const sandbox = await open();
  expect(await sandbox.isRunning()).toBe(true);
  await sandbox.kill();
  expect(await sandbox.isRunning()).toBe(false);
});

test('the token of another sandbox opens nothing', async () => {
  const mine = await open();
  const theirs = await open();
  const call = (headers: Record<string, string>) =>
    fetch(`${url}/process.Process/List`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'E2b-Sandbox-Id': theirs.sandboxId, ...headers },
      body: '{}',
    });
  const tokenOf = async (sandbox: Sandbox) => {
    const { apiKey } = (sandbox as unknown as { connectionConfig: { apiKey: string } }).connectionConfig;
    const answer = await fetch(`${url}/sandboxes/${sandbox.sandboxId}`, { headers: { 'X-API-KEY': apiKey } });
    return (await answer.json()) as { envdAccessToken: string; trafficAccessToken: string };
  };
  const own = await tokenOf(theirs);
  expect((await call({})).status).toBe(401);
  expect((await call({ 'X-Access-Token': (await tokenOf(mine)).envdAccessToken })).status).toBe(401);
  // The token that opens ports may be given away further than the one that runs commands.
  expect((await call({ 'X-Access-Token': own.trafficAccessToken })).status).toBe(401);
  expect((await call({ 'X-Access-Token': own.envdAccessToken })).status).toBe(200);
  await Promise.all([mine.kill(), theirs.kill()]);
});
