import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { key, url } from './harness/shared.js';

const sdk = join(import.meta.dirname, '..');
const DOCUMENTS = ['README.md', '../README.md', '../docs/quickstart.md', '../docs/coding-agents.md'];
const examples = DOCUMENTS.flatMap((file) => [...readFileSync(join(sdk, file), 'utf8').matchAll(/^##? (.*?)$|^```ts\n([^]*?)^```$/gm)]);
const target = join(sdk, 'target/readme');
mkdirSync(target, { recursive: true });

/** What an example says that it prints: the comments behind its console.log, in order. */
function promised(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*?\); \/\/ (.*)$/gm)].flatMap(([, words = '']) => words.split(' // '));
}

test('the examples are right for the compiler', async () => {
  const folder = join(sdk, 'target/examples');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sources = { '@bivouac/sdk': ['../../src/index.ts'], '@bivouac/sdk/sealed': ['../../src/sealed/index.ts'], '@bivouac/sdk/webhooks': ['../../src/webhooks/verify.ts'] };
  const options = { noEmit: true, rootDir: '../../..', types: ['node'], paths: sources, noUnusedLocals: false };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../../tsconfig.base.json', compilerOptions: options, include: ['*.ts'] }));
  for (const [index, [, , code]] of examples.entries()) if (code !== undefined) writeFileSync(join(folder, `${index}.ts`), `${code}\nexport {};\n`);
  const compiler = join(sdk, '../node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(compiler, ['-p', folder]).catch((failure: unknown) => failure as { stdout: string });
  expect(stdout).toBe('');
});

let title = '';
for (const [index, [, heading, code]] of examples.entries()) {
  if (heading !== undefined) title = heading;
  if (code === undefined) continue;
  test(`the example of "${title}" does what it says`, async () => {
    const outfile = join(target, `${index}.mjs`);
    await build({
      stdin: { contents: code.replaceAll('http://127.0.0.1:8080', url), loader: 'ts', resolveDir: sdk },
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      alias: { '@bivouac/sdk/sealed': join(sdk, 'src/sealed/index.ts'), '@bivouac/sdk/webhooks': join(sdk, 'src/webhooks/verify.ts'), '@bivouac/sdk': join(sdk, 'src/index.ts') },
      external: ['ws'],
      logLevel: 'error',
    });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], {
      env: { ...process.env, BIVOUAC_URL: url, BIVOUAC_API_KEY: key },
      timeout: 60_000,
    });
    expect(promised(code).length).toBeGreaterThan(0);
    expect(stdout.trimEnd().split('\n')).toEqual(promised(code));
  });
}
