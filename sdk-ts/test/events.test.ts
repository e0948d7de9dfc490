import { expect, test } from 'vitest';
import { WorkspaceClient, type BivouacEvent, type Gap } from '../src/index.js';
import { CuttingProxy } from './harness/cutting-proxy.js';
import { newProject, url } from './harness/shared.js';

test('events come as they happen, typed, and the stream survives cuts', async () => {
  const direct = await newProject();
  const proxy = await CuttingProxy.to(url);
  const { key } = await direct.keys.create({ name: 'listener', role: 'viewer' });
  const listener = new WorkspaceClient({ apiUrl: proxy.url, apiKey: key });
  const ending = new AbortController();
  const stream = listener.events({ types: ['sandbox.*'], signal: ending.signal });
  const seen: Array<BivouacEvent | Gap> = [];
  const reading = (async () => {
    for await (const event of stream) seen.push(event);
  })();
  await stream.ready;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const sandbox = await direct.sandbox.create({ template: 'default' });
    ids.push(sandbox.id);
    proxy.cut();
    await sandbox.delete();
  }
  const ofEach = ['sandbox.created', 'sandbox.starting', 'sandbox.running', 'sandbox.deleted'];
  await expect.poll(() => seen.length, { timeout: 60_000 }).toBe(ids.length * ofEach.length);
  for (const id of ids) {
    expect(seen.filter((event) => 'subject' in event && event.subject === id).map((event) => event.type)).toEqual(ofEach);
  }
  const running = seen.find((event) => event.type === 'sandbox.running');
  expect(running?.data.state).toBe('running');
  ending.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
  await proxy.close();
});

test('a later listener goes on where an earlier one was', async () => {
  const client = await newProject();
  const stream = client.events();
  const first = stream[Symbol.asyncIterator]();
  const created = first.next();
  await stream.ready;
  const sandbox = await client.sandbox.create({ template: 'default' });
  expect((await created).value).toMatchObject({ type: 'sandbox.created', subject: sandbox.id });
  await first.return();
  await sandbox.delete();
  for await (const event of client.events({ lastEventId: stream.lastEventId ?? '' })) {
    expect(event).toMatchObject({ type: 'sandbox.starting', subject: sandbox.id });
    break;
  }
});
