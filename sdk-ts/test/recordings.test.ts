import { afterAll, beforeAll, expect, test } from 'vitest';
import { UnexpectedAnswerError, WorkspaceError, recordingOf, type RecordingEvent, type Sandbox, type WorkspaceClient } from '../src/index.js';
import { newProject } from './harness/shared.js';

let client: WorkspaceClient;
let sandbox: Sandbox;

beforeAll(async () => {
  client = await newProject();
  sandbox = await client.sandbox.create({ template: 'default' });
});
afterAll(() => sandbox.delete());

async function complete(terminalId: string): Promise<void> {
  const isComplete = async (): Promise<boolean | undefined> => (await client.recordings.list()).items.find((one) => one.terminalId === terminalId)?.complete;
  await expect.poll(isComplete, { timeout: 60_000 }).toBe(true);
}

test('a recorded terminal is listed, and shows again what it showed', async () => {
  const terminal = await sandbox.terminal({ command: ['sh'], cols: 100, rows: 30, record: true });
  await terminal.write('echo "said $((6 * 7))"; exit 5\n');
  expect((await terminal.wait()).exitCode).toBe(5);
  await complete(terminal.id);
  const [info] = (await client.recordings.list({ sandboxId: sandbox.id })).items;
  expect(info).toMatchObject({ terminalId: terminal.id, sandboxId: sandbox.id, command: 'sh', cols: 100, rows: 30, exitCode: 5 });
  const recording = await client.recordings.open(terminal.id);
  expect(recording.header).toMatchObject({ cols: 100, rows: 30 });
  const events: RecordingEvent[] = [];
  for await (const event of recording) events.push(event);
  expect(events.flatMap((event) => (event.type === 'output' ? [event.text] : [])).join('')).toContain('said 42');
  expect(events.at(-1)).toMatchObject({ type: 'exit', exitCode: 5 });
  expect(await (await client.recordings.download(terminal.id)).text()).toMatch(/^\{"version":3,/);
  expect((await client.recordings.list({ sandboxId: 'sbx-00000000000000000000000000' })).items).toEqual([]);
});

test('what was not recorded has a name', async () => {
  await using terminal = await sandbox.terminal({ command: ['cat'] });
  await expect(client.recordings.open(terminal.id)).rejects.toMatchObject({ code: 4205, name: 'RECORDING_NOT_FOUND' });
  await expect(client.recordings.open('pty-00000000000000000000000000')).rejects.toThrow(WorkspaceError);
});

async function* from(...lines: string[]): AsyncGenerator<string, void, void> {
  await Promise.resolve();
  yield* lines;
}

async function events(...lines: string[]): Promise<RecordingEvent[]> {
  const seen: RecordingEvent[] = [];
  for await (const event of await recordingOf(from('{"version":3,"term":{"cols":80,"rows":24}}', ...lines))) seen.push(event);
  return seen;
}

test('files of others are read, with kinds of events that we do not know', async () => {
  expect(await events('# a comment', '[0.5, "o", "a\\r\\n"]', '[0, "i", "typed"]', '[1, "r", "100x40"]', '[0, "m", "here"]', '[0, "z", "later"]', '[2, "x", "0"]')).toEqual([
    { type: 'output', after: 0.5, text: 'a\r\n' },
    { type: 'resize', after: 1, cols: 100, rows: 40 },
    { type: 'marker', after: 0, label: 'here' },
    { type: 'exit', after: 2, exitCode: 0 },
  ]);
});

test('what is no recording is refused', async () => {
  await expect(recordingOf(from('{"version":2,"width":80,"height":24}'))).rejects.toThrow(UnexpectedAnswerError);
  await expect(recordingOf(from())).rejects.toThrow(UnexpectedAnswerError);
  await expect(recordingOf(from('{"version":3,"term":{"cols":0,"rows":24}}'))).rejects.toThrow('how large');
  await expect(events('[-1, "o", "x"]')).rejects.toThrow(UnexpectedAnswerError);
  await expect(events('not json')).rejects.toThrow(UnexpectedAnswerError);
});
