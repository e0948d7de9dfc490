// Bundles what is measured, and runs it.
import { build } from 'esbuild';
import { join } from 'node:path';

const here = import.meta.dirname;
const outfile = join(here, '../target/measure/typing.mjs');
await build({
  entryPoints: [join(here, 'typing.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  alias: { '@bivouac/sdk': join(here, '../../sdk-ts/src/index.ts') },
  external: ['ws', 'playwright-core'],
  define: { 'import.meta.dirname': JSON.stringify(join(here, '../../sdk-ts/test/harness')) },
});
await import(outfile);
