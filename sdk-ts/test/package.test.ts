import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const sdk = join(import.meta.dirname, '..');
const kilobytes = (bytes: number): number => bytes / 1000;

/** A page's bundle of these lines: its text, and its size in kB as it is sent. */
async function bundle(lines: string): Promise<{ text: string; size: number }> {
  const made = await build({
    stdin: { contents: lines, resolveDir: sdk },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    // As the package's "browser" field says.
    plugins: [
      {
        name: 'browser-field',
        setup: (on) => on.onResolve({ filter: /node-socket/ }, () => ({ path: join(sdk, 'src/terminal/no-socket.ts') })),
      },
    ],
  });
  const text = made.outputFiles[0]?.text ?? '';
  return { text, size: kilobytes(gzipSync(text).length) };
}

const ALL = "export * from './src/index.ts';";

test('a browser bundle of all of it is small and has nothing of Node in it', async () => {
  const { text, size } = await bundle(ALL);
  console.log(`sdk: ${size.toFixed(1)} kB gzipped`);
  expect(size).toBeLessThanOrEqual(25);
  expect(text).not.toMatch(/node:|require\(/);
  // What seals is not in it unless it is asked for.
  expect(text).not.toContain('Noise_IK');
});

test('with sealed terminals it is still small', async () => {
  const { text, size } = await bundle(`${ALL} export * from './src/sealed/index.ts';`);
  console.log(`sdk with sealed terminals: ${size.toFixed(1)} kB gzipped`);
  expect(size).toBeLessThanOrEqual(45);
  expect(text).toContain('Noise_IK');
  expect(text).not.toMatch(/node:|require\(/);
});

test('the package holds what was built and nothing else', () => {
  const [pack] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: sdk, stdio: ['ignore', 'pipe', 'ignore'] }).toString()) as Array<{
    files: Array<{ path: string }>;
    size: number;
  }>;
  const files = pack?.files.map((file) => file.path) ?? [];
  console.log(`npm pack: ${files.length} files, ${kilobytes(pack?.size ?? 0).toFixed(1)} kB`);
  expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/element.js', 'dist/sealed/index.js']));
  expect(files.filter((file) => !/^(package\.json|README\.md|dist\/.*\.(js|d\.ts))$/.test(file))).toEqual([]);
});
