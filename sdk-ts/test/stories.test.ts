import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  ProcessTimeoutError,
  SandboxNotFoundError,
  TemplateNotFoundError,
  UnauthorizedError,
  type StreamEvent,
} from '../src/index.js';
import { newClient, newProject } from './harness/shared.js';

const client = await newProject();
const template = 'python:3.11';

describe('from a create to a delete', () => {
  test('create, run commands, delete', async () => {
    const sandbox = await client.sandbox.create({ template, name: 'story-basic' });
    expect(sandbox.id).toMatch(/^sbx-/);
    expect(sandbox.state).toBe('running');
    try {
      const result = await sandbox.process.run('python --version');
      expect(result.exitCode).toBe(0);
      // A machine with another Python says so in the template's notes.
      const { notes } = (await client.templates.list()).find((one) => one.name === template) ?? { notes: [] };
      expect(result.stdout).toContain(notes.length === 0 ? 'Python 3.11' : 'Python 3');
      const withEnvironment = await sandbox.process.run('echo $MY_VAR', { envs: { MY_VAR: 'hello' } });
      expect(withEnvironment.stdout.trim()).toBe('hello');
    } finally {
      await client.sandbox.delete(sandbox.id);
    }
    await expect(client.sandbox.get(sandbox.id)).rejects.toThrow(SandboxNotFoundError);
  });

  test('output as it comes', async () => {
    await using sandbox = await client.sandbox.create({ template });
    const events: StreamEvent[] = [];
    for await (const event of sandbox.process.runStream('for i in 1 2 3; do echo "line $i"; sleep 0.1; done')) {
      events.push(event);
    }
    expect(events.filter((event) => event.type === 'stdout').length).toBeGreaterThanOrEqual(3);
    expect(events.at(-1)).toMatchObject({ type: 'exit', exitCode: 0 });
  });

  test('a command that takes too long', async () => {
    await using sandbox = await client.sandbox.create({ template });
    await expect(sandbox.process.run('sleep 100', { timeout: 1000 })).rejects.toThrow(ProcessTimeoutError);
  });

  test('a command is killed', async () => {
    await using sandbox = await client.sandbox.create({ template });
    const events: StreamEvent[] = [];
    for await (const event of sandbox.process.runStream('sleep 100')) {
      events.push(event);
      if (event.type === 'start') await sandbox.process.kill(event.commandId);
    }
    expect(events.at(-1)).toMatchObject({ type: 'exit', exitCode: -15 });
  });
});

describe('terminals', () => {
  test('a page connects with nothing but a WebSocket', async () => {
    await using sandbox = await client.sandbox.create({ template });
    const pty = await sandbox.pty.create({ cols: 80, rows: 24 });
    expect(pty.id).toBeTruthy();
    expect(pty.websocketUrl).toContain('/ws');
    const socket = new WebSocket(pty.websocketUrl, pty.protocols);
    let output = '';
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as { type: string; data: string };
      if (message.type === 'output') output += Buffer.from(message.data, 'base64').toString();
    };
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = (event) => reject(new Error(event.message));
    });
    socket.send(JSON.stringify({ type: 'input', data: Buffer.from('echo "pty-test"\n').toString('base64') }));
    await expect.poll(() => output, { timeout: 30_000 }).toMatch(/pty-test[^]*pty-test/);
    socket.close();
    await sandbox.pty.kill(pty.id);
  });
});

describe('what is made is cleaned up', () => {
  test('at the end of its scope', async () => {
    let id: string;
    {
      await using sandbox = await client.sandbox.create({ template });
      id = sandbox.id;
      expect((await sandbox.process.run('echo test')).exitCode).toBe(0);
    }
    await expect(client.sandbox.get(id)).rejects.toThrow(SandboxNotFoundError);
  });

  test('many at once', async () => {
    const made = await Promise.all([1, 2, 3].map(() => client.sandbox.create({ template })));
    const ids = made.map((sandbox) => sandbox.id);
    const result = await client.sandbox.batchDelete(ids);
    expect(result.succeeded).toHaveLength(3);
    expect(result.failed).toHaveLength(0);
    for (const id of ids) await expect(client.sandbox.get(id)).rejects.toThrow(SandboxNotFoundError);
  });

  test('when its time is over', async () => {
    const sandbox = await client.sandbox.create({ template, timeout_seconds: 2 });
    await expect.poll(async () => (await sandbox.refresh()).state, { timeout: 60_000 }).toBe('expired');
    expect(sandbox.stopReason).toBe('expired');
    await sandbox.delete();
  });
});

describe('what goes wrong has a name', () => {
  test('a template that is not there', async () => {
    await expect(client.sandbox.create({ template: 'nonexistent:latest' })).rejects.toThrow(TemplateNotFoundError);
  });

  test('a key that is not known', async () => {
    const stranger = newClient({ apiKey: 'invalid-key' });
    await expect(stranger.sandbox.create({ template })).rejects.toThrow(UnauthorizedError);
  });

  test('a sandbox that is not there', async () => {
    await expect(client.sandbox.get('sbx-nonexistent')).rejects.toThrow(SandboxNotFoundError);
  });
});
