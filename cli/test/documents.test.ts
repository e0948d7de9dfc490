import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newProjectKey, url } from '../../sdk-ts/test/harness/shared.js';
import type { Ended } from './bivouac.js';

const root = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'bivouac-documents-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What a reader copies into a shell. What needs a person, a build or the network is tried elsewhere; a page may say that of a block. */
function blocks(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const here = text.replaceAll(/^<!-- needs: .*-->\n```sh\n[^]*?^```$/gm, '');
  return [...here.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, code = '']) => code).filter((code) => !/ -it|gradlew|npm |vite|example\.org/.test(code));
}

/** Runs lines as a reader's shell would, at the first error stopping; whoever is asked for the key types it. */
function shell(lines: string, key: string): Promise<Ended> {
  const { BIVOUAC_URL: _, BIVOUAC_API_KEY: __, XDG_CONFIG_HOME: ___, ...bare } = process.env;
  const env = { ...bare, HOME: home, PATH: `${dirname(process.execPath)}:${bare.PATH ?? ''}` };
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', lines], { cwd: root, env });
    const ended = { stdout: '', stderr: '' };
    child.stdout.on('data', (bytes: Buffer) => (ended.stdout += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => (ended.stderr += bytes.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...ended }));
    child.stdin.end(`${key}\n`);
  });
}

test.each([
  ['docs/quickstart.md', ['42\n', 'docs/quickstart.md\n', 'is gone']],
  ['cli/README.md', ['Logged in', 'ended with 3\n', 'TERMINAL', 'is gone']],
  ['docs/coding-agents.md', ['HELLO\n']],
])('what %s says can be copied and run', async (file, seen) => {
  // A guide begins where the quick start has ended: with the command line, logged in.
  const [begin = ''] = blocks('docs/quickstart.md');
  const own = blocks(file);
  const lines = [...(own[0] === begin || file.startsWith('cli/') ? [] : [begin]), ...own].join('\n').replaceAll('http://127.0.0.1:8080', url).replaceAll('> count', `> ${home}/count`).replaceAll('/tmp/bivouac-example', `${home}/example`);
  const ended = await shell(lines, await newProjectKey());
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  for (const words of seen) expect(ended.stdout).toContain(words);
});
