import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConnectionError, TimeoutError, WorkspaceClient, type Sandbox, type StreamEvent } from '../src/index.js';
import { CuttingProxy } from './harness/cutting-proxy.js';
import { key, newClient, url } from './harness/shared.js';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await newClient().sandbox.create({ template: 'default' });
});
afterAll(() => sandbox.delete());

test('words, a working folder, standard input and both outputs', async () => {
  const result = await sandbox.process.run(['sh', '-c', 'pwd; cat; echo "$1" >&2', 'sh', 'to the other'], {
    cwd: '/tmp',
    stdin: 'given',
  });
  expect(result).toMatchObject({ exitCode: 0, stdout: '/tmp\ngiven', stderr: 'to the other\n', truncated: false });
});

test('a failing command is a result', async () => {
  expect((await sandbox.process.run('exit 3')).exitCode).toBe(3);
});

test('bytes that are no text arrive exactly', async () => {
  let bytes: Uint8Array | undefined;
  for await (const event of sandbox.process.runStream("printf '\\377\\000\\376'")) {
    if (event.type === 'stdout') bytes = event.bytes;
  }
  expect([...(bytes ?? [])]).toEqual([255, 0, 254]);
});

test('a stream that is cut again and again loses and repeats nothing', async () => {
  const proxy = await CuttingProxy.to(url);
  try {
    const cut = await new WorkspaceClient({ apiUrl: proxy.url, apiKey: key }).sandbox.get(sandbox.id);
    let text = '';
    let exit: StreamEvent | undefined;
    let pieces = 0;
    for await (const event of cut.process.runStream('for i in $(seq 1 400); do echo "line $i"; sleep 0.005; done')) {
      if (event.type === 'stdout') {
        text += event.data;
        if (++pieces % 20 === 0) proxy.cut();
      }
      exit = event;
    }
    expect(text).toBe(Array.from({ length: 400 }, (_, i) => `line ${i + 1}\n`).join(''));
    expect(exit).toMatchObject({ type: 'exit', exitCode: 0 });
    expect(proxy.connections).toBeGreaterThan(3);
  } finally {
    await proxy.close();
  }
});

test('a background command goes on, is listed, read and killed', async () => {
  const id = await sandbox.process.start('echo begun; exec sleep 1000');
  expect((await sandbox.process.list()).items.find((command) => command.commandId === id)).toMatchObject({ running: true });
  const seen: StreamEvent[] = [];
  for await (const event of sandbox.process.output(id)) {
    seen.push(event);
    if (event.type === 'stdout') await sandbox.process.kill(id, 9);
  }
  expect(seen.filter((event) => event.type === 'stdout')).toMatchObject([{ data: 'begun\n' }]);
  expect(seen.at(-1)).toMatchObject({ type: 'exit', exitCode: -9 });
});

test('an abort throws its own reason, before and during', async () => {
  const reason = new Error('changed my mind');
  await expect(sandbox.process.run('true', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const ending = new AbortController();
  const running = sandbox.process.run('sleep 100', { signal: ending.signal });
  setTimeout(() => ending.abort(reason), 50);
  await expect(running).rejects.toBe(reason);
  const stream = sandbox.process.runStream('sleep 100', { signal: AbortSignal.timeout(300) });
  await expect((async () => { for await (const event of stream) expect(event.type).toBe("start"); })()).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a server that is not there, or does not answer, is an error of its own', async () => {
  const nobody = new WorkspaceClient({ apiUrl: 'http://127.0.0.1:1', apiKey: 'none', retries: 1 });
  await expect(nobody.templates.list()).rejects.toThrow(ConnectionError);
  const hasty = newClient({ timeout: 1 });
  await expect(hasty.sandbox.create({ template: 'default' }, { timeout: 1 })).rejects.toThrow(TimeoutError);
});
