// What a page costs, and how long a keystroke takes to be seen. Prints a name and a number a line.
// npm run measure -w console; with BIVOUAC_URL and BIVOUAC_API_KEY against a server that runs.
import { build } from 'esbuild';
import { join } from 'node:path';
import { sizes } from './sizes.mjs';

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
const { typing } = await import(outfile);
for (const [name, value] of Object.entries({ ...(await sizes()), ...(await typing()) })) console.log(name, value.toFixed(3));
