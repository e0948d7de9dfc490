// Bundles what is measured, and runs it: node run.mjs URL KEY SANDBOX MEGABYTES KEYS
import { build } from 'esbuild';
import { join } from 'node:path';

const here = import.meta.dirname;
const outfile = join(here, '../target/measure/sealed.mjs');
await build({
  entryPoints: [join(here, 'sealed.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: ['ws'],
});
await import(outfile);
