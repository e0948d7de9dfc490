import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { bivouac as run, environment as shared, PROGRAM, type Ended } from './bivouac.js';
import { Receiver } from './receiver.js';

const PATIENCE = { timeout: 60_000, interval: 200 };
const key = await newProjectKey();
const environment = (): NodeJS.ProcessEnv => ({ ...shared(), BIVOUAC_API_KEY: key });
const bivouac = (...words: string[]): Promise<Ended> => run(words, { env: environment() });
const json = async <T>(...words: string[]): Promise<T> => {
  const ended = await bivouac(...words, '--json');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout) as T;
};

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.close());

interface Sent {
  id: string;
  type: string;
  state: string;
  attempts: unknown[];
}

test('a webhook is made, told, looked at, sent again and deleted', async () => {
  const made = await json<{ id: string; secret: string }>('webhook', 'create', receiver.url, '--types', 'sandbox.stopped', '--description', 'of a test');
  expect((await bivouac('webhook', 'list')).stdout).toContain(made.id);
  const sandbox = await json<{ id: string }>('sandbox', 'create');
  await bivouac('sandbox', 'stop', sandbox.id);
  await expect.poll(() => receiver.received.length, PATIENCE).toBe(1);
  const { headers = {}, body = '' } = receiver.received[0] ?? {};
  expect(new Webhook(made.secret).verify(body, headers)).toMatchObject({ type: 'sandbox.stopped', subject: sandbox.id });

  const deliveries = (): Promise<Sent[]> => json<Sent[]>('webhook', 'deliveries', made.id);
  await expect.poll(async () => (await deliveries())[0]?.state, PATIENCE).toBe('delivered');
  const table = (await bivouac('webhook', 'deliveries', made.id)).stdout;
  expect(table).toMatch(/delivered +sandbox\.stopped .* 200 /);
  expect((await json<Sent[]>('webhook', 'deliveries', made.id, '--state', 'dead'))).toEqual([]);

  const [sent] = await deliveries();
  expect(await bivouac('webhook', 'deliveries', made.id, '--limit', '0')).toMatchObject({ stderr: expect.stringContaining('There are more') as string });
  expect(await bivouac('webhook', 'replay', sent?.id ?? '')).toMatchObject({ code: 0, stdout: 'It is being sent again.\n' });
  await expect.poll(() => receiver.received.length, PATIENCE).toBe(2);
  // The same event: whoever has it already can tell.
  expect(receiver.received[1]?.headers['webhook-id']).toBe(headers['webhook-id']);

  const since = new Date(Date.now() - 600_000).toISOString();
  expect(await bivouac('webhook', 'replay', made.id)).toMatchObject({ code: 2, stderr: expect.stringContaining('--since') as string });
  expect(await bivouac('webhook', 'replay', made.id, '--since', since, '--dead')).toMatchObject({ code: 0, stdout: '0 are being sent again.\n' });
  expect(await json('webhook', 'replay', made.id, '--since', since)).toEqual({ replayed: 1 });
  await expect.poll(() => receiver.received.length, PATIENCE).toBe(3);

  expect(await bivouac('webhook', 'delete', made.id)).toMatchObject({ code: 0 });
  expect((await bivouac('webhook', 'list')).stdout).not.toContain(made.id);
  await bivouac('sandbox', 'delete', sandbox.id);
});

test('a webhook that cannot be is refused with a reason', async () => {
  expect(await bivouac('webhook', 'create', 'http://10.0.0.1/')).toMatchObject({ code: 1 });
  expect(await bivouac('webhook', 'create')).toMatchObject({ code: 2, stderr: expect.stringContaining('URL') as string });
  expect(await bivouac('webhook', 'deliveries', 'whe_00000000000000000000000000')).toMatchObject({ code: 1 });
});

test('listen brings events to a program on this machine, signed', async () => {
  const before = receiver.received.length;
  const secret = 'whsec_' + Buffer.from('a secret for a test of listening').toString('base64');
  const listening = spawn(process.execPath, [PROGRAM, 'listen', receiver.url, '--types', 'sandbox.stopped', '--secret', secret], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let shown = '';
  listening.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()));
  try {
    await new Promise((resolve) => listening.stderr.once('data', resolve));
    const { id } = await json<{ id: string }>('sandbox', 'create');
    await bivouac('sandbox', 'stop', id);
    await expect.poll(() => receiver.received.length, PATIENCE).toBe(before + 1);
    const { headers = {}, body = '' } = receiver.received[before] ?? {};
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'sandbox.stopped', subject: id });
    await expect.poll(() => shown, PATIENCE).toMatch(/sandbox\.stopped +sbx-\S+ +200/);
    await bivouac('sandbox', 'delete', id);
  } finally {
    listening.kill('SIGINT');
  }
});
