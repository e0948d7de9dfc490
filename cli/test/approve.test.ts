import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WorkspaceClient, type Sandbox } from '@bivouac/sdk';
import { newProjectKey, url } from '../../sdk-ts/test/harness/shared.js';
import { bivouac, environment, PROGRAM } from './bivouac.js';

let client: WorkspaceClient;
let sandbox: Sandbox;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const apiKey = await newProjectKey();
  env = { ...environment(), BIVOUAC_API_KEY: apiKey };
  client = new WorkspaceClient({ apiUrl: url, apiKey });
  sandbox = await client.sandbox.create({ template: 'default' });
});
afterAll(() => sandbox.delete());

async function openId(resource: string): Promise<string> {
  for (;;) {
    const { items } = await client.permissions.list({ state: 'open' });
    const found = items.find((item) => item.resource === resource);
    if (found !== undefined) return found.id;
  }
}

test('what is open is listed and answered by its id', async () => {
  const yes = sandbox.process.run('bivouac-ask --action deploy --resource yes --timeout 300');
  const no = sandbox.process.run('bivouac-ask --action deploy --resource no --timeout 300');
  const [first, second] = [await openId('yes'), await openId('no')];
  const list = await bivouac(['approve', '--list'], { env });
  expect(list.stdout).toContain(first);
  expect(list.stdout).toContain(second);
  expect(await bivouac(['approve', first, '--for', '10m'], { env })).toMatchObject({ code: 0, stdout: 'The request was granted.\n' });
  expect(await bivouac(['approve', second, '--deny', '--reason', 'not today', '--json'], { env })).toMatchObject({ code: 0 });
  expect((await yes).exitCode).toBe(0);
  expect(await no).toMatchObject({ exitCode: 1, stderr: 'bivouac-ask: denied: not today\n' });
  expect(await bivouac(['approve', first], { env })).toMatchObject({ code: 1, stderr: expect.stringContaining('already') as string });
  expect(await bivouac(['approve', first, '--deny', '--for', '1m'], { env })).toMatchObject({ code: 2 });
});

test('a watch prints each question as it comes', async () => {
  const watching = spawn(process.execPath, [PROGRAM, 'approve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let printed = '';
    watching.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    const asking = sandbox.process.run('bivouac-ask --action deploy --resource watched --timeout 300');
    const id = await openId('watched');
    await expect.poll(() => printed, { timeout: 60_000 }).toContain(id);
    await client.permissions.answer(id, { granted: true });
    expect((await asking).exitCode).toBe(0);
    expect(printed.split(id)).toHaveLength(2);
  } finally {
    watching.kill();
  }
});
