// How much a page has to fetch, gzipped, in kB: the SDK in a bundle of its own, and the console's first load.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const kilobytes = (text) => gzipSync(text).length / 1000;

async function bundle(contents) {
  const made = await build({
    stdin: { contents, resolveDir: join(root, 'sdk-ts') },
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    // As the package's "browser" field says; a page has xterm beside it.
    external: ['@xterm/*'],
    plugins: [{ name: 'browser-field', setup: (on) => on.onResolve({ filter: /node-socket/ }, () => ({ path: join(root, 'sdk-ts/src/terminal/no-socket.ts') })) }],
  });
  return kilobytes(made.outputFiles[0].text);
}

/** The page, and whatever it names or imports at once; what is imported later is not part of the first load. */
function firstLoad() {
  const dist = join(root, 'console/dist');
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const seen = new Set();
  const waiting = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]);
  let size = kilobytes(page);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(dist, file), 'utf8');
    size += kilobytes(text);
    for (const [, name] of text.matchAll(/(?:import|from)\s*"\.\/([^"]+)"/g)) waiting.push(`assets/${name}`);
  }
  return size;
}

export async function sizes() {
  return {
    sdkKilobytes: await bundle("export * from './src/index.ts';"),
    sealedKilobytes: await bundle("export * from './src/index.ts'; export * from './src/sealed/index.ts';"),
    elementKilobytes: await bundle("export * from './src/element.ts';"),
    firstLoadKilobytes: firstLoad(),
  };
}
