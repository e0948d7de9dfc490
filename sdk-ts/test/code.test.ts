import { expect, test } from 'vitest';
import type { CodeEvent } from '../src/index.js';
import { newProject } from './harness/shared.js';

const client = await newProject();

/** The smallest picture that there is. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PICTURE = `import base64
class Picture:
    def _repr_png_(self):
        return base64.b64decode("${PIXEL}")
Picture()`;

test('code keeps its variables, and tells what it prints and shows', async () => {
  await using sandbox = await client.sandbox.create();
  const heard: string[] = [];
  const first = await sandbox.code.run('x = 41\nprint("hello")\nx + 1', { onStdout: (text) => heard.push(text) });
  expect(first).toMatchObject({ stdout: 'hello\n', text: '42', error: undefined, exit: { ok: true, session: 'kept', timedOut: false } });
  expect(heard.join('')).toBe('hello\n');
  expect((await sandbox.code.run('x * 2')).text).toBe('82');
  const failed = await sandbox.code.run('1 / 0');
  expect(failed).toMatchObject({ error: { name: 'ZeroDivisionError', value: 'division by zero' }, exit: { ok: false } });
  expect(failed.error?.traceback).toContain('ZeroDivisionError');
  const [shown] = (await sandbox.code.run(PICTURE)).results;
  expect(Buffer.from((await shown?.png()) ?? []).toString('base64')).toBe(PIXEL);
  expect(await shown?.jpeg()).toBeUndefined();
});

test('sessions are apart, and can be interrupted, started anew and ended', async () => {
  await using sandbox = await client.sandbox.create();
  const { sessions } = sandbox.code;
  const session = await sessions.create('python', { cwd: '/tmp' });
  expect(session).toMatchObject({ language: 'python', cwd: '/tmp' });
  await sandbox.code.run('x = 1', { session });
  expect((await sandbox.code.run('x')).error?.name).toBe('NameError');
  const events: CodeEvent[] = [];
  for await (const event of sandbox.code.runStream('print("going", flush=True)\nwhile True: pass', { session })) {
    events.push(event);
    if (event.type === 'stdout') await sessions.interrupt(session);
  }
  expect(events.at(-1)).toMatchObject({ type: 'exit', ok: false, session: 'kept' });
  expect((await sandbox.code.run('x', { session: session.id })).text).toBe('1');
  await sessions.restart(session);
  expect((await sandbox.code.run('x', { session })).error?.name).toBe('NameError');
  await sessions.delete(session);
  expect((await sessions.list()).items.map(({ id }) => id)).not.toContain(session.id);
});
