import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CuttingProxy } from '../../sdk-ts/test/harness/cutting-proxy.js';
import { newProjectKey, url } from '../../sdk-ts/test/harness/shared.js';
import { bivouac as run, environment as shared, home, type Ended } from './bivouac.js';
import { BIVOUAC, Person } from './person.js';

const key = await newProjectKey();
const environment = (): NodeJS.ProcessEnv => ({ ...shared(), BIVOUAC_API_KEY: key });
const bivouac = (words: string[], options: { input?: string | Buffer } = {}): Promise<Ended> => run(words, { ...options, env: environment() });

let id: string;
let proxy: CuttingProxy;

beforeAll(async () => {
  proxy = await CuttingProxy.to(url);
  id = (JSON.parse((await bivouac(['sandbox', 'create', '--json'])).stdout) as { id: string }).id;
});
afterAll(async () => {
  await proxy.close();
  await bivouac(['sandbox', 'delete', id]);
});

const enter = (options = ''): string => `${BIVOUAC} exec -it ${options} ${id} -- sh`;

test('a shell as ssh gives it: Ctrl-C, Ctrl-Z, size, a full-screen editor, exit code', async () => {
  const person = Person.at('shell', enter(), environment());
  await person.sees(/[$#]/);
  person.type('stty size', 'Enter');
  await person.sees('30 100');
  person.resize(120, 40);
  // A window's size and what is typed into it come by different ways, as with ssh: either may be first.
  await person.seesAfter('40 120', () => person.type('clear; stty size', 'Enter'));
  // Interrupts throw away what was typed ahead: the command must be running.
  person.type('echo going; sleep 1000', 'Enter');
  await person.sees(/^going/m);
  person.type('C-c');
  person.type('echo "interrupted: $?"', 'Enter');
  await person.sees('interrupted: 130');
  person.type('echo again; sleep 1000', 'Enter');
  await person.sees(/^again/m);
  person.type('C-z');
  person.type('jobs', 'Enter');
  await person.sees(/Stopped/);
  person.type('clear; vi note', 'Enter');
  await person.sees(/^~\n~/m);
  person.type(':q!', 'Enter');
  // An editor throws away what was typed ahead when it ends.
  await person.sees(/^[^~]*$/);
  person.type('echo "left: $?"', 'Enter');
  await person.sees('left: 0');
  person.type('kill %1; exit 7', 'Enter');
  person.type('exit 7', 'Enter');
  await person.sees('ended with 7');
});

test('a lost connection is told, found again, and nothing is lost', async () => {
  const person = Person.at('lost', enter(), { ...environment(), BIVOUAC_URL: proxy.url });
  await person.sees(/[$#]/);
  person.type('(sleep 2; echo said-while-$((1 + 1))) &', 'Enter');
  proxy.refuse(true);
  await person.sees('connection lost');
  person.type('echo typed-while-$((1 + 2))', 'Enter');
  proxy.refuse(false);
  await person.sees('connected again');
  await person.sees('said-while-2');
  await person.sees('typed-while-3');
  person.type('exit', 'Enter');
  await person.sees('ended with 0');
});

test('run -it is inside within a moment, and the sandbox goes with it', async () => {
  const person = Person.at('run', `${BIVOUAC} run -it --name of-a-moment -- sh`, environment());
  await person.sees(/Sandbox of-a-moment, deleted when you exit\.[^]*[$#]/);
  person.type('exit 3', 'Enter');
  await person.sees('ended with 3');
  expect((await bivouac(['sandbox', 'list'])).stdout).not.toContain('of-a-moment');
});

test('run of a folder alone is a shell in it', async () => {
  const folder = mkdtempSync(join(home, 'shell-'));
  writeFileSync(join(folder, 'brought-along'), '');
  const person = Person.at('folder', `${BIVOUAC} run ${folder}`, environment());
  await person.sees(/Sent .*: \d+ files and folders, [^]*[$#]/);
  person.type('ls', 'Enter');
  await person.sees(/^brought-along/m);
  person.type('exit', 'Enter');
  await person.sees('ended with 0');
});

test('a terminal that nobody is attached to is found and ended', async () => {
  const person = Person.at('killed', enter(), environment());
  await person.sees(/[$#]/);
  const open = async (): Promise<string[]> => {
    const { stdout } = await bivouac(['terminal', 'list', '--json']);
    return (JSON.parse(stdout) as Array<{ id: string; status: string }>).filter(({ status }) => status !== 'terminated').map((one) => one.id);
  };
  const [terminal = ''] = await open();
  expect(await bivouac(['terminal', 'kill', terminal])).toMatchObject({ code: 0 });
  await person.sees(/ended with \d+/);
  await expect.poll(open, { timeout: 30_000 }).toEqual([]);
  expect(await bivouac(['terminal', 'kill', 'pty-none'])).toMatchObject({ code: 1, stderr: expect.stringContaining('terminal list') as string });
});

test('top shows the figures live', async () => {
  const person = Person.at('top', `${BIVOUAC} top`, environment());
  await person.sees(/CPU +MEMORY[^]*\d\/1 /);
  person.type('C-c');
  await person.sees('ended with 130');
});

test('a shell whose program is ended from outside goes with it, and the terminal here is as it was', async () => {
  const command = `sh -c 'echo pid=$$; exec ${enter()}'; stty -a | grep -o -- "-\\?icanon"`;
  const person = Person.at('ended', command, environment());
  await person.sees(/pid=\d+[^]*[$#]/);
  const alive = async (): Promise<string[]> => {
    const { stdout } = await bivouac(['terminal', 'list', id, '--json']);
    return (JSON.parse(stdout) as Array<{ id: string; status: string }>).filter(({ status }) => status !== 'terminated').map((one) => one.id);
  };
  expect(await alive()).toHaveLength(1);
  process.kill(Number(/pid=(\d+)/.exec(person.screen())?.[1]), 'SIGTERM');
  await person.sees(/[^-]icanon/);
  await expect.poll(alive, { timeout: 30_000 }).toEqual([]);
});

test('what is piped in reaches the command', async () => {
  const input = Buffer.alloc(3_000_000, 'abc\n');
  const ended = await bivouac(['exec', id, '--', 'wc', '-c'], { input });
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\s*3000000/) as string });
  expect(await bivouac(['exec', '-i', id, '--', 'cat'], { input: 'through' })).toMatchObject({ code: 0, stdout: 'through' });
  expect(await bivouac(['exec', id, '--', 'true'], { input })).toMatchObject({ code: 0 });
});

test('a person is asked each question, and answers by a key', async () => {
  const person = Person.at('approve', `${BIVOUAC} approve`, environment());
  await person.sees('Waiting for questions');
  const asking = bivouac(['exec', id, '--', 'bivouac-ask', '--action', 'deploy', '--resource', 'production', '--timeout', '300']);
  await person.sees(/deploy production[^]*script[^]*allow once/);
  person.type('y', 'Enter');
  expect((await asking).code).toBe(0);
  await person.sees('granted');
  const denied = bivouac(['exec', id, '--', 'bivouac-ask', '--action', 'deploy', '--resource', 'again', '--timeout', '300']);
  await person.sees(/deploy again[^]*allow once/);
  person.type('what', 'Enter');
  // What is typed before the question stands answers nothing.
  await person.sees(/skip: what[^]*skip:/);
  person.type('n', 'Enter');
  expect((await denied).code).toBe(1);
  person.type('C-c');
  await person.sees('ended with 130');
});

test('a closed host is asked about where one works, and answered by a key', async () => {
  // Again and again: until the stream of questions stands, a host is refused at once.
  const line = 'until [ -e over ]; do curl -sS https://first.example/; sleep 1; done';
  const person = Person.at('consent', `${BIVOUAC} exec ${id} -- sh -c '${line}'`, environment());
  await person.sees(/wants to reach first\.example:443[^]*allow once/);
  person.type('n');
  await person.sees('denied');
  expect((await bivouac(['exec', id, '--', 'touch', 'over'])).code).toBe(0);
  await person.sees('ended with 0');
  const inside = Person.at('inside', enter(), environment());
  await inside.sees(/[$#]/);
  await inside.seesAfter(/wants to reach again\.example:443[^]*Ctrl-\] answers/, () => inside.type('clear; curl -sS https://again.example/', 'Enter'));
  inside.type('C-]');
  await inside.sees('for this sandbox');
  inside.type('a');
  await inside.sees('granted');
  await expect.poll(async () => (await bivouac(['sandbox', 'egress', id])).stdout, { timeout: 30_000 }).toContain('again.example:443');
  inside.type('exit', 'Enter');
  await inside.sees(/ended with \d+/);
});
