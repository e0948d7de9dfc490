import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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
  for (const name of ['create', 'exec', 'run', 'listen', 'audit verify', 'Sandboxes', 'Terminals', 'context use']) expect(help.stdout).toContain(name);
  for (const words of [['sandbox', '--help'], ['help', 'sandbox']]) {
    expect(await bivouac(words)).toMatchObject({ code: 0, stdout: expect.stringContaining('bivouac sandbox list') as string });
  }
  expect((await bivouac(['ls', '--help'])).stdout).toContain('bivouac sandbox list');
  const one = await bivouac(['sandbox', 'create', '--help']);
  expect(one.stdout).toContain('Examples');
  expect(one.stdout).toContain('--template');
});

test('a wrong call says what is wrong and ends with 2', async () => {
  expect(await bivouac(['sandbx'])).toMatchObject({ code: 2, stderr: expect.stringContaining("no command 'sandbx'. Did you mean: bivouac sandbox?") as string });
  expect((await bivouac(['sandbox', 'lst'])).stderr).toContain('Did you mean: bivouac sandbox list?');
  expect((await bivouac(['creat'])).stderr).toContain('Did you mean: bivouac create?');
  expect((await bivouac(['create', '--tmplate', 'x'])).stderr).toBe('bivouac: There is no option --tmplate. Did you mean --template? Help: bivouac sandbox create --help\n');
  expect((await bivouac(['create', '--name'])).stderr).toContain('--name needs a value.');
  expect(await bivouac(['ls', '--url', 'notaurl'])).toMatchObject({ code: 2, stderr: expect.stringContaining("not 'notaurl'") as string });
  expect((await bivouac(['extend', id, '2h'])).stderr).toContain('TIME must be between 1s and 1h, not 2h');
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
  expect(await bivouac(['template', 'list', '--url', url], { env: bare })).toMatchObject({ code: 1, stderr: `bivouac: You are not logged in at ${url}.\nLog in with: bivouac login\n` });
  expect((await bivouac(['context', 'list'], { env: bare })).stdout).toContain('You are not logged in.');
});

test('several servers are kept, and one of them is used', async () => {
  const folder = mkdtempSync(join(home, 'contexts-'));
  const bare: NodeJS.ProcessEnv = { ...process.env, XDG_CONFIG_HOME: folder };
  delete bare.BIVOUAC_URL;
  delete bare.BIVOUAC_API_KEY;
  const other = url.replace('127.0.0.1', 'localhost');
  await bivouac(['login', url, '--key', key, '--context', 'here'], { env: bare });
  await bivouac(['login', other, '--key', key], { env: bare });
  expect((await bivouac(['context', 'list'], { env: bare })).stdout).toMatch(/\* +localhost:\d+ +http.*\n +here /);
  expect((await bivouac(['open'], { env: bare })).stdout).toBe(`${other}/\n`);
  expect((await bivouac(['open', '--context', 'here'], { env: bare })).stdout).toBe(`${url}/\n`);
  expect(await bivouac(['context', 'use', 'here'], { env: bare })).toMatchObject({ code: 0 });
  expect((await bivouac(['whoami'], { env: bare })).stdout).toContain('(context here)');
  expect(await bivouac(['context', 'use', 'nowhere'], { env: bare })).toMatchObject({ code: 2, stderr: expect.stringContaining('There are here, localhost') as string });
  await bivouac(['context', 'remove', 'here'], { env: bare });
  expect((await bivouac(['open'], { env: bare })).stdout).toBe(`${other}/\n`);
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

test('a name stands for its sandbox in every command', async () => {
  const name = `cli-${crypto.randomUUID().slice(0, 8)}`;
  const made = await bivouac(['create', '-q', '--name', name]);
  expect(made.stdout).toMatch(/^sbx-\w{26}\n$/);
  expect((await bivouac(['exec', name, 'echo', '-n', 'by name'])).stdout).toBe('by name');
  expect((await bivouac(['get', name])).stdout).toContain(made.stdout.trim());
  expect(await bivouac(['cp', '-', `${name}:a`], { input: 'x' })).toMatchObject({ code: 0 });
  expect((await bivouac(['sandbox', 'ls', name])).stdout).toBe('a\n');
  expect((await bivouac(['approve', '--list', '--sandbox', name])).stdout).toBe('Nothing is waiting for an answer.\n');
  expect((await bivouac(['terminal', 'list', name])).stdout).toContain('There are no terminals.');
  expect((await bivouac(['top', '--once'])).stdout).toContain(name);
  expect((await bivouac(['open', name])).stdout).toBe(`${url}/#/sandboxes/${made.stdout}`);
  expect((await bivouac(['stop', name])).stdout).toContain('stopped');
  expect((await bivouac(['exec', name, 'true'])).stderr).toMatch(/has to be started first.*\nStart it with: bivouac start SANDBOX/);
  expect((await bivouac(['start', name])).stdout).toContain('running');
  expect(await bivouac(['rm', name])).toMatchObject({ code: 0 });
  expect((await bivouac(['ls'])).stdout).not.toContain(name);
});

test('options behind the first word of a command are its own', async () => {
  expect((await bivouac(['exec', id, 'sh', '-c', 'echo --json $0', '-e'])).stdout).toBe('--json -e\n');
  expect((await bivouac(['exec', '-e', 'A=1', id, 'env'])).stdout).toContain('A=1');
  expect((await bivouac(['run', 'ls', '-la'])).stdout).toContain(' .\n');
  expect((await bivouac(['--json', 'exec', 'sbx-none', 'true'])).stderr).toMatch(/^{/);
});

test('run sends a folder and runs in it', async () => {
  const folder = mkdtempSync(join(home, 'sent-'));
  writeFileSync(join(folder, 'told'), 'from here\n');
  expect(await bivouac(['run', folder, 'cat', 'told'])).toMatchObject({ code: 0, stdout: 'from here\n', stderr: '' });
  expect(await bivouac(['run', `${folder}/`, '--', 'cat', 'told'])).toMatchObject({ stdout: 'from here\n' });
});

test('version, whoami, keys and workspaces', async () => {
  const { client, server } = JSON.parse((await bivouac(['version', '--json'])).stdout) as Record<string, string>;
  expect(server).toBe(client);
  expect((await bivouac(['whoami'])).stdout).toMatch(/role +admin, system administrator/);
  const name = `k-${crypto.randomUUID().slice(0, 8)}`;
  const key = JSON.parse((await bivouac(['key', 'create', name, '--role', 'viewer', '--json'])).stdout) as { id: string; key: string };
  expect((await bivouac(['whoami', '--key', key.key, '--url', url])).stdout).toMatch(/role +viewer/);
  expect((await bivouac(['key', 'list'])).stdout).toContain(name);
  expect(await bivouac(['key', 'revoke', key.id])).toMatchObject({ code: 0 });
  expect((await bivouac(['key', 'list'])).stdout).not.toContain(name);
  expect(await bivouac(['key', 'create', 'x', '--role', 'boss'])).toMatchObject({ code: 2 });
  const kept = (await bivouac(['create', '-q'])).stdout.trim();
  await bivouac(['rm', kept, '--keep-workspace']);
  expect((await bivouac(['workspace', 'list'])).stdout).toContain(kept);
  expect(await bivouac(['workspace', 'delete', kept])).toMatchObject({ code: 0 });
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
