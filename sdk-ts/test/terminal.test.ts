import headless from '@xterm/headless';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkspaceClient, type Sandbox, type Terminal } from '../src/index.js';
import { CuttingProxy } from './harness/cutting-proxy.js';
import { newProjectKey, url } from './harness/shared.js';

let sandbox: Sandbox;

let key: string;

beforeAll(async () => {
  key = await newProjectKey();
  sandbox = await new WorkspaceClient({ apiUrl: url, apiKey: key }).sandbox.create({ template: 'default' });
});
afterAll(() => sandbox.delete());

/** Reads until the text is there. */
async function until(terminal: Terminal, wanted: string | RegExp, before = ''): Promise<string> {
  let text = before;
  const decoder = new TextDecoder();
  while (typeof wanted === 'string' ? !text.includes(wanted) : !wanted.test(text)) {
    const bytes = await terminal.read();
    if (bytes === undefined) throw new Error(`The terminal ended before ${String(wanted)}: ${text}`);
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

async function all(terminal: Terminal): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of terminal) text += decoder.decode(bytes, { stream: true });
  return text;
}

test('what is typed runs, and the exit code is told', async () => {
  const terminal = await sandbox.terminal({ command: ['sh'] });
  await terminal.write('echo "sum $((20 + 22))"; exit 5\n');
  expect(await all(terminal)).toContain('sum 42');
  expect(await terminal.wait()).toEqual({ exitCode: 5 });
  expect(terminal.state).toBe('closed');
  await expect(terminal.write('more')).rejects.toThrow('closed');
});

test('its size is what was asked for, and changes', async () => {
  await using terminal = await sandbox.terminal({ command: ['sh'], cols: 100, rows: 30 });
  await terminal.write('stty size\n');
  await until(terminal, '30 100');
  terminal.resize(132, 50);
  await terminal.write('stty size\n');
  await until(terminal, '50 132');
});

test('Ctrl-C interrupts, a signal arrives', async () => {
  await using terminal = await sandbox.terminal({ command: ['sh'] });
  await terminal.write("trap 'echo caught' INT; echo set-$((1 + 1)); sleep 1000; echo after\n");
  // An interrupt before that would throw the line away.
  await until(terminal, 'set-2');
  await terminal.write('\u0003');
  await until(terminal, 'caught');
});

test('a viewer sees and cannot type, and comes to the screen as it is', async () => {
  await using driver = await sandbox.terminal({ command: ['sh'] });
  await driver.write('echo first-words\n');
  await until(driver, /first-words\r\n[^]*first-words/);
  const viewer = await sandbox.terminal({ id: driver.id, role: 'viewer' });
  await until(viewer, 'first-words');
  await driver.write('echo later-words\n');
  await until(viewer, 'later-words');
  expect((await sandbox.pty.list()).items.map((pty) => pty.id)).toContain(driver.id);
  viewer.close();
  // What had arrived is still there to be read; then there is an end.
  await all(viewer);
  expect(await viewer.read()).toBeUndefined();
});

test('a connection that is cut a hundred times shows and types everything once', async () => {
  const proxy = await CuttingProxy.to(url);
  try {
    const distant = await new WorkspaceClient({ apiUrl: proxy.url, apiKey: key }).sandbox.get(sandbox.id);
    const terminal = await distant.terminal({ command: ['sh', '-c', 'stty -echo; while read -r line; do echo "got $line"; done'] });
    let reconnected = 0;
    terminal.on('state', (state) => (reconnected += state === 'open' ? 1 : 0));
    const lines = 1000;
    const typing = (async () => {
      for (let i = 1; i <= lines; i++) {
        await terminal.write(`${i}\n`);
        if (i % 10 === 0) {
          const before = reconnected;
          proxy.cut();
          await expect.poll(() => reconnected, { timeout: 30_000, interval: 2 }).toBeGreaterThan(before);
        }
      }
      await terminal.write('\u0004');
    })();
    const text = await all(terminal);
    await typing;
    const got = text.split('\r\n').filter((line) => line.startsWith('got '));
    expect(got).toEqual(Array.from({ length: lines }, (_, i) => `got ${i + 1}`));
    expect(reconnected).toBeGreaterThanOrEqual(100);
  } finally {
    await proxy.close();
  }
});

test('a flood waits for its reader and loses nothing', async () => {
  const terminal = await sandbox.terminal({ command: ['sh', '-c', 'stty -opost; seq 1 300000'] });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const text = await all(terminal);
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(300_000);
  expect(lines.at(-1)).toBe('300000');
});

test('vi looks on this side as it does over there', async () => {
  const screen = new headless.Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  const terminal = await sandbox.terminal({ command: ['sh'], envs: { TERM: 'xterm-256color' } });
  await terminal.write('printf "one\\ntwo\\n" > text; vi text\n');
  const shown = (): string => Array.from({ length: 24 }, (_, i) => screen.buffer.active.getLine(i)?.translateToString(true) ?? '').join('\n');
  const reading = (async () => {
    for await (const bytes of terminal) await new Promise<void>((painted) => screen.write(bytes, painted));
  })();
  await expect.poll(shown, { timeout: 30_000 }).toMatch(/^one\ntwo\n~/);
  await terminal.write('ggOzero\u001b:wq\r');
  await expect.poll(() => screen.buffer.active.type, { timeout: 30_000 }).toBe('normal');
  expect((await sandbox.process.run('cat text')).stdout).toBe('zero\none\ntwo\n');
  await terminal.write('exit\n');
  await reading;
});

test('a long text typed into a program that answers goes through whole', async () => {
  // Every line says where it is, so that what is lost or doubled can be told.
  const lines = Array.from({ length: 1_000_000 }, (_, line) => String(line).padStart(7, '0'));
  const terminal = await sandbox.terminal({ command: ['sh', '-c', 'stty raw -echo; echo ready; head -c 8000000'] });
  const gaps: unknown[] = [];
  terminal.on('gap', (gap) => gaps.push(gap));
  await until(terminal, 'ready\n');
  const writing = terminal.write(lines.join('\n') + '\n');
  const text = await all(terminal);
  await writing;
  expect(gaps).toEqual([]);
  const seen = text.split('\n');
  const wrong = lines.findIndex((line, i) => seen[i] !== line);
  expect(wrong < 0 ? [] : seen.slice(wrong - 1, wrong + 3), `line ${wrong} of ${text.length} characters`).toEqual([]);
  expect(text.length).toBe(8_000_000);
});

test('much goes through a command that answers while it is written to', async () => {
  const running = await sandbox.process.attach(['cat']);
  const much = new Uint8Array(32_000_000).fill(120);
  // All at once, in order, whoever waits for what.
  const written = Promise.all([running.write(much.subarray(0, 20_000_000)), running.write(much.subarray(20_000_000))]);
  running.end();
  let count = 0;
  for await (const { bytes } of running) count += bytes.length;
  await written;
  expect(count).toBe(much.length);
});

/** Beginnings and ends are where a client and a command can miss each other: many of both. */
const ROUNDS = process.env.BIVOUAC_SOAK === undefined ? 3 : 200;

test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))('a command takes its input while it runs (%i)', async () => {
  const running = await sandbox.process.attach(['sh', '-c', 'cat; echo "$A" >&2; exit 3'], { envs: { A: 'said aside' }, cwd: '/tmp' });
  const million = 'x'.repeat(1_000_000);
  const written = running.write(new TextEncoder().encode(million)).then(() => running.end());
  let out = '';
  let aside = '';
  for await (const { stream, bytes } of running) {
    if (stream === 'stdout') out += new TextDecoder().decode(bytes);
    else aside += new TextDecoder().decode(bytes);
  }
  await written;
  expect(out.length).toBe(million.length);
  expect(out).toBe(million);
  expect(aside).toBe('said aside\n');
  expect(await running.wait()).toEqual({ exitCode: 3 });
});

test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))('what a command said last is heard, though it read nothing (%i)', async () => {
  const running = await sandbox.process.attach(['sh', '-c', 'echo last words; exit 4']);
  // It may be over before all of this is taken, which only the writer is told.
  const written = running.write(new Uint8Array(3_000_000)).catch(() => undefined);
  let out = '';
  for await (const { bytes } of running) out += new TextDecoder().decode(bytes);
  expect(out).toBe('last words\n');
  expect(await running.wait()).toEqual({ exitCode: 4 });
  await written;
});
