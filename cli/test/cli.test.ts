import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { key, url } from '../../sdk-ts/test/harness/shared.js';
import { bivouac, environment, home, PROGRAM } from './bivouac.js';

let id: string;

beforeAll(async () => {
  const made = await bivouac(['sandbox', 'create', '--json', '-l', 'of=cli']);
  expect(made.stderr).toBe('');
  id = (JSON.parse(made.stdout) as { id: string }).id;
});
afterAll(() => bivouac(['sandbox', 'delete', id]));

test('help names every command, and has examples for each', async () => {
  const help = await bivouac([]);
  expect(help.code).toBe(0);
  for (const name of ['sandbox create', 'exec', 'run', 'webhook listen', 'audit verify']) expect(help.stdout).toContain(name);
  const one = await bivouac(['sandbox', 'create', '--help']);
  expect(one.stdout).toContain('Examples');
  expect(one.stdout).toContain('--template');
});

test('a wrong call says what is wrong and ends with 2', async () => {
  expect(await bivouac(['sandbx'])).toMatchObject({ code: 2, stderr: expect.stringContaining("no command 'sandbx'") as string });
  expect(await bivouac(['sandbox'])).toMatchObject({ code: 2, stderr: expect.stringContaining('sandbox list') as string });
  expect(await bivouac(['sandbox', 'list', '--nonsense'])).toMatchObject({ code: 2 });
  expect(await bivouac(['sandbox', 'extend', id, 'soon'])).toMatchObject({ code: 2, stderr: expect.stringContaining('10m') as string });
});

test('options may stand before the command', async () => {
  const before = await bivouac(['--json', 'sandbox', 'get', id]);
  expect(JSON.parse(before.stdout)).toMatchObject({ id });
  expect(await bivouac(['--url', 'http://localhost:1', 'exec', id, '--', 'echo', '--json'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Cannot reach http://localhost:1') as string,
  });
});

test('a project shows what it may have and what it uses', async () => {
  const shown = await bivouac(['project', 'show']);
  expect(shown.stdout).toMatch(/sandboxes +\d+ +\d+/);
  expect(shown.stdout).toMatch(/memory +\S+ +no limit/);
  const { limits, usage } = JSON.parse((await bivouac(['project', 'show', '--json'])).stdout) as Record<'limits' | 'usage', Record<string, number>>;
  expect(limits).toMatchObject({ terminals: 200, eventStreams: 500, cpu: null });
  expect(usage.sandboxes).toBeGreaterThan(0);
});

test('errors say what to do next', async () => {
  expect(await bivouac(['sandbox', 'get', 'sbx-none'])).toMatchObject({ code: 1, stderr: expect.stringContaining('bivouac sandbox list') as string });
  const stranger = { ...environment(), BIVOUAC_API_KEY: 'wrong' };
  expect(await bivouac(['sandbox', 'list'], { env: stranger })).toMatchObject({ code: 1, stderr: expect.stringContaining('bivouac login') as string });
  const nowhere = { ...environment(), BIVOUAC_URL: 'http://127.0.0.1:1' };
  expect(await bivouac(['template', 'list'], { env: nowhere })).toMatchObject({ code: 1, stderr: expect.stringContaining('Is the server running') as string });
  const asJson = await bivouac(['sandbox', 'get', 'sbx-none', '--json']);
  expect(JSON.parse(asJson.stderr)).toMatchObject({ code: 2001, name: 'SANDBOX_NOT_FOUND' });
  const wrongCall = await bivouac(['sandbox', 'list', '--nonsense', '--json']);
  expect(wrongCall.code).toBe(2);
  expect(JSON.parse(wrongCall.stderr)).toMatchObject({ code: 0, name: 'WRONG_CALL', message: expect.stringContaining('--nonsense') as string });
  // What stands behind the dashes is another program's.
  expect((await bivouac(['exec', 'sbx-none', '--', 'x', '--json'])).stderr).toMatch(/^bivouac: /);
});

test('the mount command of a workspace is printed, for any folder', async () => {
  const printed = await bivouac(['sandbox', 'mount', id]);
  expect(printed.stdout).toMatch(new RegExp(`^mount -t nfs -o vers=3,nolock,\\S+ 127\\.0\\.0\\.1:/${id} /mnt\n$`));
  expect((await bivouac(['sandbox', 'mount', id, '/srv/work'])).stdout).toBe(printed.stdout.replace('/mnt\n', '/srv/work\n'));
  expect((await bivouac(['sandbox', 'get', id])).stdout).toContain(printed.stdout.trim());
});

test('login checks the key and keeps it where only its owner can read it', async () => {
  const bare: NodeJS.ProcessEnv = { ...process.env, XDG_CONFIG_HOME: home };
  delete bare.BIVOUAC_URL;
  delete bare.BIVOUAC_API_KEY;
  expect(await bivouac(['login', url, '--key', 'wrong'], { env: bare })).toMatchObject({ code: 1 });
  expect(await bivouac(['login', url], { env: bare, input: `${key}\n` })).toMatchObject({ code: 0 });
  const file = join(home, 'bivouac/account.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url });
  expect(await bivouac(['template', 'list'], { env: bare })).toMatchObject({ code: 0, stdout: expect.stringContaining('default') as string });
  expect(await bivouac(['logout'], { env: bare })).toMatchObject({ code: 0 });
  expect(await bivouac(['template', 'list', '--url', url], { env: bare })).toMatchObject({ code: 1 });
});

test('hosts that a sandbox may reach are added, removed and shown', async () => {
  expect(await bivouac(['sandbox', 'egress', id])).toMatchObject({ code: 0, stdout: 'It reaches nothing.\n' });
  expect((await bivouac(['sandbox', 'egress', id, '--add', 'a.example', '--add', '*.b.example:80'])).stdout).toBe('a.example:443\n*.b.example:80\n');
  expect((await bivouac(['sandbox', 'get', id])).stdout).toContain('a.example:443, *.b.example:80');
  expect((await bivouac(['sandbox', 'egress', id, '--remove', 'a.example', '--json'])).stdout).toContain('*.b.example:80');
  expect(await bivouac(['sandbox', 'egress', id, '--remove', 'a.example'])).toMatchObject({ code: 2, stderr: expect.stringContaining('is not allowed now') as string });
  expect(await bivouac(['sandbox', 'egress', id, '--add', '*'])).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a host') as string });
  expect((await bivouac(['sandbox', 'egress', id, '--none'])).stdout).toBe('It reaches nothing.\n');
});

test('list, get, extend, stats, logs', async () => {
  const list = await bivouac(['sandbox', 'list', '-l', 'of=cli', '-q']);
  expect(list.stdout.split('\n')).toContain(id);
  expect((await bivouac(['sandbox', 'list', '--state', 'running'])).stdout).toContain(id);
  expect((await bivouac(['sandbox', 'get', id])).stdout).toContain('running');
  expect((await bivouac(['sandbox', 'extend', id, '10m'])).stdout).toContain('expires in');
  expect((await bivouac(['sandbox', 'stats', id])).stdout).toContain('memory');
  expect((await bivouac(['sandbox', 'logs', id])).code).toBe(0);
});

test('exec streams both outputs and passes the exit code on', async () => {
  expect(await bivouac(['exec', id, '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' });
  expect(await bivouac(['sandbox', 'exec', id, '-e', 'A=1', '-w', '/tmp', '--', 'sh', '-c', 'echo $A; pwd'])).toMatchObject({ stdout: '1\n/tmp\n' });
  expect(await bivouac(['exec', id, '--', 'sh', '-c', 'kill -9 $$'])).toMatchObject({ code: 137 });
  expect(await bivouac(['exec', id, '--', 'no-such-program'])).toMatchObject({ code: 127 });
});

test('run makes a sandbox, runs in it and deletes it', async () => {
  const ran = await bivouac(['run', '-T', 'python:3.11', '--name', 'cli-run', '--', 'python', '-c', 'print(6 * 7)']);
  expect(ran).toMatchObject({ code: 0, stdout: '42\n' });
  expect((await bivouac(['sandbox', 'list'])).stdout).not.toContain('cli-run');
});

test('an interrupted run leaves nothing behind', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'run', '--name', 'cli-interrupted', '--', 'sh', '-c', 'echo begun; sleep 100'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(130);
  expect((await bivouac(['sandbox', 'list'])).stdout).not.toContain('cli-interrupted');
});

/** The program in the middle of a run, its sandbox's name, and what it printed. */
async function running(name: string, command: string): Promise<ChildProcessByStdio<null, Readable, null>> {
  const child = spawn(process.execPath, [PROGRAM, 'run', '--name', name, '--', 'sh', '-c', command], { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a run that %s ended leaves nothing behind', async (signal, code) => {
  const child = await running(`cli-${signal}`, 'echo begun; sleep 100');
  child.kill(signal);
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(code);
  expect((await bivouac(['sandbox', 'list'])).stdout).not.toContain(`cli-${signal}`);
});

test('a run whose reader has seen enough leaves nothing behind', async () => {
  const child = await running('cli-head', 'while echo more; do sleep 0.01; done');
  child.stdout.destroy();
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect((await bivouac(['sandbox', 'list'])).stdout).not.toContain('cli-head');
});

test('input for a command that cannot be is refused with the real reason', async () => {
  const missing = await bivouac(['exec', 'sbx-none', '--', 'cat'], { input: 'x' });
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('bivouac sandbox list') as string });
  const stranger = { ...environment(), BIVOUAC_API_KEY: 'wrong' };
  expect(await bivouac(['exec', id, '--', 'cat'], { input: 'x', env: stranger })).toMatchObject({ code: 1, stderr: expect.stringContaining('bivouac login') as string });
});

test('the audit is verified', async () => {
  expect(await bivouac(['audit', 'verify'])).toMatchObject({ code: 0, stdout: expect.stringContaining('intact') as string });
});

test('completion works in a real shell', async () => {
  const script = `PATH=$1:$PATH; source <("$2" "$3" completion bash); COMP_WORDS=(bivouac sandbox cr); COMP_CWORD=2; _bivouac; echo "\${COMPREPLY[@]}"
    COMP_WORDS=(bivouac exec --); COMP_CWORD=2; _bivouac; echo "\${COMPREPLY[@]}"`;
  const shell = spawn('bash', ['-c', script, 'bash', home, process.execPath, PROGRAM], { env: environment() });
  let out = '';
  shell.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
  await new Promise((resolve) => shell.once('close', resolve));
  expect(out.split('\n')[0]).toBe('create');
  expect(out.split('\n')[1]).toContain('--tty');
});
