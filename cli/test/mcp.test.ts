import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClient, newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import type { Sandbox } from '../../sdk-ts/src/index.js';
import { environment, PROGRAM } from './bivouac.js';

const PATIENCE = { timeout: 60_000, interval: 200 };

let key: string;
let assistant: Client;
let sandbox: Sandbox;

beforeAll(async () => {
  key = await newProjectKey();
  assistant = await connect({});
  const made = await call('create_sandbox', { name: 'mcp', labels: { by: 'assistant' } });
  sandbox = await newClient({ apiKey: key }).sandbox.get((made.structuredContent as { id: string }).id);
});
afterAll(async () => {
  await sandbox.delete();
  await assistant.close();
});

async function connect(env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const all = { ...environment(), BIVOUAC_API_KEY: key, ...env } as Record<string, string>;
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env: all }));
  return client;
}

async function call(name: string, given: Record<string, unknown>): Promise<CallToolResult> {
  return (await assistant.callTool({ name, arguments: given })) as CallToolResult;
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** Whether a process with these words runs inside. */
async function runs(words: string): Promise<boolean> {
  const { stdout } = await sandbox.process.run(['sh', '-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "']);
  return stdout.includes(words);
}

test('tools say what they change', async () => {
  const { tools } = await assistant.listTools();
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
  const reading = Object.keys(hints).filter((name) => hints[name]?.readOnlyHint === true);
  expect(reading.sort()).toEqual(['list_files', 'list_ports', 'list_sandboxes', 'list_templates', 'read_file']);
  const destroying = Object.keys(hints).filter((name) => hints[name]?.destructiveHint === true);
  expect(destroying.sort()).toEqual(['delete_sandbox', 'run_command', 'stop_sandbox', 'write_file']);
});

test('sandboxes are made, listed and deleted, and their tokens are not told', async () => {
  const made = await call('create_sandbox', { name: 'second' });
  expect(made.structuredContent).toMatchObject({ name: 'second', state: 'running' });
  expect(textOf(made)).not.toContain('accessToken');
  const names = async (given: object) =>
    ((await call('list_sandboxes', { ...given })).structuredContent as { sandboxes: Array<{ name: string }> }).sandboxes.map(({ name }) => name);
  expect(await names({})).toEqual(['second', 'mcp']);
  expect(await names({ labels: { by: 'assistant' } })).toEqual(['mcp']);
  expect(textOf(await call('delete_sandbox', { sandbox: 'second' }))).toContain('is gone');
  expect(await names({})).toEqual(['mcp']);
});

test('a command answers with its exit code, and its output comes while it runs', async () => {
  const seen: string[] = [];
  // The second line waits for a file that is made when the first one was seen.
  const command = 'echo first; until [ -e seen ]; do sleep 0.05; done; echo second; echo wrong >&2; exit 3';
  const running = assistant.callTool({ name: 'run_command', arguments: { sandbox: 'mcp', command } }, undefined, {
    onprogress: ({ message = '' }) => {
      seen.push(message);
      if (message.includes('first')) void sandbox.files.write('seen', '');
    },
  });
  expect(await running).toMatchObject({ structuredContent: { exitCode: 3, stdout: 'first\nsecond\n', stderr: 'wrong\n', truncated: false } });
  expect(seen.join('')).toContain('first\n');
});

test('long output is cut in the middle', async () => {
  const { structuredContent } = await call('run_command', { sandbox: 'mcp', command: 'echo begin; seq 100000; echo end' });
  const { stdout, truncated } = structuredContent as { stdout: string; truncated: boolean };
  expect(truncated).toBe(true);
  expect(stdout).toMatch(/^begin\n[^]*characters left out[^]*\nend\n$/);
  expect(stdout.length).toBeLessThan(70_000);
});

test('a cancelled call kills its command', async () => {
  const cancel = new AbortController();
  const command = 'echo begun; trap "" TERM; while :; do sleep 7531; done';
  const running = assistant.callTool({ name: 'run_command', arguments: { sandbox: 'mcp', command } }, undefined, {
    signal: cancel.signal,
    onprogress: () => cancel.abort(),
  });
  await expect(running).rejects.toThrow();
  await expect.poll(() => runs('sleep 7531'), PATIENCE).toBe(false);
});

test('an assistant that leaves takes its command along', async () => {
  const other = await connect({});
  const running = other.callTool({ name: 'run_command', arguments: { sandbox: 'mcp', command: 'echo begun; sleep 8642' } }, undefined, {
    onprogress: () => void other.close(),
  });
  await expect(running).rejects.toThrow();
  await expect.poll(() => runs('sleep 8642'), PATIENCE).toBe(false);
});

test('files are written, read and listed', async () => {
  await call('write_file', { sandbox: 'mcp', path: 'made/of text.txt', text: 'grüße\n' });
  expect(textOf(await call('read_file', { sandbox: 'mcp', path: 'made/of text.txt' }))).toBe('grüße\n');
  expect(textOf(await call('read_file', { sandbox: 'mcp', path: 'made/of text.txt', length: 3 }))).toBe('gr\n[Bytes 0 to 2; go on with offset 2]');
  await call('write_file', { sandbox: 'mcp', path: 'made/bytes', base64: 'AP/+' });
  const [part] = (await call('read_file', { sandbox: 'mcp', path: 'made/bytes' })).content;
  expect(part).toMatchObject({ type: 'resource', resource: { blob: 'AP/+' } });
  await call('write_file', { sandbox: 'mcp', path: 'made/empty', text: '' });
  expect(textOf(await call('read_file', { sandbox: 'mcp', path: 'made/empty' }))).toBe('');
  const { files } = (await call('list_files', { sandbox: 'mcp', path: 'made' })).structuredContent as { files: Array<{ name: string }> };
  expect(files.map(({ name }) => name)).toEqual(['bytes', 'empty', 'of text.txt']);
  const again = await call('write_file', { sandbox: 'mcp', path: 'made/bytes', text: 'x', onlyNew: true });
  expect(again.isError).toBe(true);
});

test('files are resources', async () => {
  await sandbox.files.write('a note.txt', 'noted');
  const { resourceTemplates } = await assistant.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['bivouac://{sandbox}/{+path}']);
  const { resources } = await assistant.listResources();
  const uri = resources.find(({ name }) => name === 'a note.txt')?.uri ?? 'none';
  expect(uri).toBe(`bivouac://${sandbox.id}/workspace/a%20note.txt`);
  expect((await assistant.readResource({ uri })).contents).toMatchObject([{ uri, text: 'noted' }]);
  await expect(assistant.readResource({ uri: `bivouac://${sandbox.id}/workspace/none` })).rejects.toThrow(/none/);
  const ref = { type: 'ref/resource' as const, uri: 'bivouac://{sandbox}/{+path}' };
  const { completion } = await assistant.complete({ ref, argument: { name: 'sandbox', value: 'sbx-' } });
  expect(completion.values).toEqual([sandbox.id]);
});

test('a port is listed, and a link leads to it', async () => {
  const command = 'mkdir -p /tmp/web && cd /tmp/web && echo linked > index.html && exec python3 -m http.server 8123';
  const started = await call('run_command', { sandbox: 'mcp', command, background: true });
  expect(started.structuredContent).toMatchObject({ commandId: expect.any(String) as string });
  await expect.poll(async () => textOf(await call('list_ports', { sandbox: 'mcp' })), PATIENCE).toContain('8123');
  const { url } = (await call('port_link', { sandbox: 'mcp', port: 8123 })).structuredContent as { url: string };
  const page = await fetch(url, { redirect: 'manual' });
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? '';
  const answer = page.status === 200 ? page : await fetch(new URL(page.headers.get('location') ?? '', url), { headers: { cookie } });
  expect(await answer.text()).toBe('linked\n');
});

test('errors say what to do next', async () => {
  const missing = await call('run_command', { sandbox: 'sbx-none', command: 'true' });
  expect(missing.isError).toBe(true);
  expect(textOf(missing)).toContain('list_sandboxes');
  expect(textOf(await call('create_sandbox', { template: 'none' }))).toContain('list_templates');
  expect(textOf(await call('write_file', { sandbox: 'mcp', path: 'x' }))).toContain('either text or base64');
  const nowhere = await connect({ BIVOUAC_URL: 'http://127.0.0.1:1' });
  const failed = (await nowhere.callTool({ name: 'list_sandboxes', arguments: {} })) as CallToolResult;
  expect(failed.isError).toBe(true);
  expect(textOf(failed)).toContain('bivouac doctor');
  await nowhere.close();
});
