import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, PROGRAM } from '../../../cli/test/bivouac.js';
import { newClient, newProjectKey, url } from '../../../sdk-ts/test/harness/shared.js';
import type { Sandbox } from '../../../sdk-ts/src/index.js';

const PATIENCE = { timeout: 60_000, interval: 200 };

let key: string;
let assistant: Client;
let sandbox: Sandbox;

async function connect(apiKey: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { Authorization: `Bearer ${apiKey}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return client;
}

async function call(name: string, given: Record<string, unknown>, by = assistant): Promise<CallToolResult> {
  return (await by.callTool({ name, arguments: given })) as CallToolResult;
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

beforeAll(async () => {
  key = await newProjectKey();
  assistant = await connect(key);
  const made = await call('create_sandbox', { name: 'http', labels: { by: 'assistant' } });
  sandbox = await newClient({ apiKey: key }).sandbox.get((made.structuredContent as { id: string }).id);
});
afterAll(async () => {
  await call('delete_sandbox', { sandbox: 'http' });
  await assistant.close();
});

test('the tools are those of the command line', async () => {
  const local = new Client({ name: 'test', version: '1' });
  const env = { ...environment(), BIVOUAC_API_KEY: key } as Record<string, string>;
  await local.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env }));
  const told = ({ tools }: { tools: Tool[] }) =>
    tools
      .map(({ name, title, description, annotations, inputSchema }) => {
        const { properties = {}, required = [] } = inputSchema;
        return { name, title, description, annotations, arguments: Object.keys(properties).sort(), required: [...required].sort() };
      })
      .sort((a, b) => a.name.localeCompare(b.name));
  expect(told(await assistant.listTools())).toEqual(told(await local.listTools()));
  await local.close();
});

test('sandboxes are listed, and their tokens are not told', async () => {
  const listed = await call('list_sandboxes', { labels: { by: 'assistant' } });
  expect(listed.structuredContent).toMatchObject({ sandboxes: [{ id: sandbox.id, name: 'http', state: 'running' }], more: false });
  expect(textOf(listed)).not.toMatch(/token/i);
  expect((await call('list_sandboxes', { state: 'stopped' })).structuredContent).toMatchObject({ sandboxes: [] });
});

test('a command answers with its exit code, and its output comes while it runs', async () => {
  const seen: string[] = [];
  // The second line waits for a file that is made when the first one was seen.
  const command = 'echo first; until [ -e seen ]; do sleep 0.05; done; echo second; echo wrong >&2; exit 3';
  const running = assistant.callTool({ name: 'run_command', arguments: { sandbox: 'http', command } }, undefined, {
    onprogress: ({ message = '' }) => {
      seen.push(message);
      if (message.includes('first')) void sandbox.files.write('seen', '');
    },
  });
  expect(await running).toMatchObject({ structuredContent: { exitCode: 3, stdout: 'first\nsecond\n', stderr: 'wrong\n', truncated: false } });
  expect(seen.join('')).toContain('first\n');
});

test('a cancelled call kills its command', async () => {
  const ending = new AbortController();
  const cancelled = assistant.callTool({ name: 'run_command', arguments: { sandbox: 'http', command: 'exec sleep 98765' } }, undefined, {
    signal: ending.signal,
  });
  const refused = expect(cancelled).rejects.toThrow();
  const runs = async () => (await sandbox.process.list()).items.some(({ command, running }) => running && command.includes('98765'));
  await expect.poll(runs, PATIENCE).toBe(true);
  ending.abort();
  await refused;
  await expect.poll(runs, PATIENCE).toBe(false);
});

test('files are written, read, listed, and resources as well', async () => {
  expect((await call('write_file', { sandbox: 'http', path: 'a/ü b.txt', text: 'üü\n' })).structuredContent).toMatchObject({ path: '/workspace/a/ü b.txt', size: 5 });
  expect(textOf(await call('read_file', { sandbox: 'http', path: 'a/ü b.txt' }))).toBe('üü\n');
  // A character that is cut belongs to the next piece.
  expect(textOf(await call('read_file', { sandbox: 'http', path: 'a/ü b.txt', length: 3 }))).toContain('go on with offset 2');
  expect((await call('list_files', { sandbox: 'http', path: 'a' })).structuredContent).toMatchObject({ files: [{ name: 'ü b.txt', type: 'file' }] });
  await call('write_file', { sandbox: 'http', path: 'top.txt', text: 'top' });
  const { resources } = await assistant.listResources();
  const { uri } = resources.find(({ name }) => name === 'top.txt')!;
  expect((await assistant.readResource({ uri })).contents).toEqual([{ uri, mimeType: 'text/plain', text: 'top' }]);
});

test('a refusal is an answer that says how to go on', async () => {
  const missing = await call('run_command', { sandbox: 'none', command: 'true' });
  expect(missing.isError).toBe(true);
  expect(textOf(missing)).toContain('list_sandboxes');
  expect(textOf(await call('run_command', { sandbox: 'http', comand: 'true' }))).toContain('comand');
  expect((await call('list_ports', { sandbox: 'http' })).structuredContent).toEqual({ ports: [] });
});

test('the key of another project gets nothing', async () => {
  const stranger = await connect(await newProjectKey());
  for (const [name, more] of Object.entries({ run_command: { command: 'true' }, read_file: { path: '/etc/hostname' }, delete_sandbox: {}, port_link: { port: 80 } })) {
    expect(await call(name, { sandbox: sandbox.id, ...more }, stranger)).toMatchObject({ isError: true });
  }
  expect((await call('list_sandboxes', {}, stranger)).structuredContent).toMatchObject({ sandboxes: [] });
  await expect(stranger.readResource({ uri: `bivouac://${sandbox.id}/etc/hostname` })).rejects.toThrow();
  await stranger.close();
  await expect(connect('bvk_wrong')).rejects.toThrow();
});
