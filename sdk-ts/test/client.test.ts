import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { Bivouac, BivouacError, SandboxNotFoundError, WorkspaceClient } from '../src/index.js';
import { newProjectKey, url } from './harness/shared.js';

afterEach(() => vi.unstubAllEnvs());

test('server and key come from the environment, and a template is not needed', async () => {
  vi.stubEnv('BIVOUAC_URL', url);
  vi.stubEnv('BIVOUAC_API_KEY', await newProjectKey());
  const client = new Bivouac();
  await using sandbox = await client.sandboxes.create();
  expect(sandbox.template).toBe('default');
  expect(client).toBeInstanceOf(WorkspaceClient);
  expect(new SandboxNotFoundError('x', { code: 2001, name: 'x' })).toBeInstanceOf(BivouacError);
});

test('an address without a scheme is refused at once; one of the API is taken', async () => {
  for (const apiUrl of ['localhost:8080', 'notaurl', 'ftp://x', 'http://', '']) {
    expect(() => new Bivouac({ apiUrl }), apiUrl).toThrow(/apiUrl must begin with http:\/\/ or https:\/\//);
  }
  const client = new Bivouac({ apiUrl: `${url}/api/v1/`, apiKey: await newProjectKey() });
  expect((await client.templates.list()).length).toBeGreaterThan(0);
});

test('a name or the beginning of an id connects to its sandbox', async () => {
  const client = new Bivouac({ apiUrl: url, apiKey: await newProjectKey() });
  await using sandbox = await client.sandbox.create({ name: 'web app' });
  expect((await client.sandbox.connect('web app')).id).toBe(sandbox.id);
  expect((await client.sandbox.connect(sandbox.id.slice(0, -4))).id).toBe(sandbox.id);
  const named = client.sandbox.reference('web app');
  expect((await named.process.run('echo by name')).stdout).toBe('by name\n');
  await named.files.write('a', 'named');
  expect(await sandbox.files.read('a')).toBe('named');
  const attached = await named.process.attach(['cat']);
  await attached.write(new TextEncoder().encode('typed'));
  attached.end();
  expect((await attached.wait()).exitCode).toBe(0);
  const terminal = await named.terminal({ command: ['true'] });
  expect((await terminal.wait()).exitCode).toBe(0);

  await using twin = await client.sandbox.create({ name: 'web app' });
  const refused: unknown = await client.sandbox.connect('web app').catch((failure: unknown) => failure);
  expect(refused).toBeInstanceOf(SandboxNotFoundError);
  expect((refused as BivouacError).details.candidates).toEqual([twin.id, sandbox.id]);
});

test('what is printed has no secrets', async () => {
  const apiKey = await newProjectKey();
  const client = new Bivouac({ apiUrl: url, apiKey, headers: { 'X-Mine': 'also-secret' } });
  await using sandbox = await client.sandbox.create();
  const token = sandbox.accessToken ?? 'missing';
  for (const one of [client, client.sandbox, sandbox, sandbox.files, sandbox.process, [sandbox]]) {
    const printed = inspect(one, { depth: 10, showHidden: true });
    expect(printed).not.toContain(apiKey);
    expect(printed).not.toContain('also-secret');
    expect(printed).not.toContain(token);
  }
  expect(inspect(sandbox)).toContain(sandbox.id);
  expect(JSON.stringify(client)).not.toContain(apiKey);
  // Whoever asks for it has it.
  expect(token).not.toBe('missing');
});

test('the server gives out the SDK and the command line that fit it, without a login', async () => {
  const program = await fetch(`${url}/cli`);
  expect(program.headers.get('content-disposition')).toContain('bivouac');
  expect(await program.text()).toMatch(/^#!\/usr\/bin\/env node\n/);
  const packed = await fetch(`${url}/sdk.tgz`);
  expect(packed.headers.get('content-type')).toBe('application/gzip');
  const listed = execFileSync('tar', ['-tz'], { input: Buffer.from(await packed.arrayBuffer()) }).toString();
  expect(listed).toContain('package/dist/index.js\n');
  expect(listed).toContain('package/package.json\n');
});

test('the server gives out the Python SDK under the name that pip demands', async () => {
  const wheel = await fetch(`${url}/sdk-python.whl`);
  expect(wheel.headers.get('content-disposition')).toMatch(/bivouac_sdk-[0-9.]+-py3-none-any\.whl/);
  // A zip file.
  expect(Buffer.from(await wheel.arrayBuffer()).subarray(0, 2).toString()).toBe('PK');
});

test('the package compiles with the defaults of tsc, and runs as plain JavaScript', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bivouac-package-'));
  try {
    mkdirSync(join(folder, 'node_modules/@bivouac'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '..'), join(folder, 'node_modules/@bivouac/sdk'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(folder, 'story.ts'),
      `import { Bivouac } from '@bivouac/sdk';
       const sandbox = await new Bivouac().sandbox.create();
       try { console.log((await sandbox.process.run('echo hello')).stdout.trim()); } finally { await sandbox.delete(); }`,
    );
    const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    const words = ['--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false', 'story.ts'];
    try {
      execFileSync(process.execPath, [compiler, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (failure) {
      expect((failure as { stdout: Buffer }).stdout.toString()).toBe('');
    }
    const env = { ...process.env, BIVOUAC_URL: url, BIVOUAC_API_KEY: await newProjectKey() };
    expect(execFileSync(process.execPath, ['story.js'], { cwd: folder, env }).toString()).toBe('hello\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
