// Launch rules on a real sandbox: what a rule's program gets around it, and which files are not taken for it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WorkspaceClient } from '../src/index.js';
import { AssistantSession } from './harness/assistant-session.js';
import { TestServer } from './harness/server.js';

const RULES = `
rules:
  - name: reader
    executable: [/nowhere/cat, /usr/bin/cat]
    egress: {allow: [api.example.org]}
    nestedSandbox: true
  - name: own
    executable: [/workspace/own]
  - name: asker
    executable: [/usr/bin/cat]
    hooks: claude-code
`;

describe('launch rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bivouac-rules-'));
  let server: TestServer;
  let client: WorkspaceClient;

  beforeAll(async () => {
    writeFileSync(join(folder, 'rules.yml'), RULES);
    server = await TestServer.start({
      BIVOUAC_LAUNCH_RULES: join(folder, 'rules.yml'),
      BIVOUAC_ALLOWED_COMMANDS: 'reader,own,cat,asker',
    });
    client = new WorkspaceClient({ apiUrl: server.url, apiKey: server.key });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a sandbox that is made for a program has what its rule says, and another has not', async () => {
    const session = await AssistantSession.open(server, { command: 'reader' });
    const [sandbox] = (await client.sandbox.list()).items;
    const answer = await fetch(`${server.url}/api/v1/sandboxes/${sandbox?.id}`, { headers: { 'X-API-Key': server.key } });
    expect(await answer.json()).toMatchObject({ egress: { allow: ['api.example.org:443'] } });
    expect(await sandbox?.process.run(['unshare', '--user', 'true'])).toMatchObject({ exitCode: 0 });
    await session.end(server);

    const ordinary = await client.sandbox.create({ template: 'default' });
    expect((await ordinary.process.run(['unshare', '--user', 'true'])).exitCode).not.toBe(0);
    const refused = await AssistantSession.asked(server, { command: 'reader', sandboxId: ordinary.id });
    expect(refused).toMatchObject({ status: 409, body: { name: 'CONFLICT' } });
  });

  test('a program that has to ask is started from the usual template, which makes it ask', async () => {
    const session = await AssistantSession.open(server, { command: 'asker' });
    const [sandbox] = (await client.sandbox.list()).items;
    expect((await sandbox?.process.run('cat /etc/claude-code/managed-settings.json'))?.stdout).toContain('bivouac-ask');
    await session.end(server);
    const without = await AssistantSession.asked(server, { command: 'asker', template: 'node:20' });
    expect(without).toMatchObject({ status: 403, body: { name: 'FORBIDDEN' } });
  });

  test('a program that somebody inside could have put there is not started', async () => {
    const sandbox = await client.sandbox.create({ template: 'default' });
    await sandbox.process.run('cp /usr/bin/cat /workspace/own');
    const refused = await AssistantSession.asked(server, { command: 'own', sandboxId: sandbox.id });
    expect(refused).toMatchObject({ status: 403, body: { name: 'FORBIDDEN' } });
    expect(refused.body.detail).toContain('could be replaced from inside the sandbox');
  });

  test('sessions start what is listed and nothing else', async () => {
    for (const request of [{}, { command: 'sh' }, { command: '/usr/bin/cat' }, { command: 'claude' }]) {
      expect(await AssistantSession.asked(server, request)).toMatchObject({ status: 403, body: { name: 'FORBIDDEN' } });
    }
    await (await AssistantSession.open(server, { command: 'cat' })).end(server);
  });
});
