// One file without imports to resolve: a command starts in the time that Node itself takes.
import { build } from 'esbuild';
import { chmodSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const common = { absWorkingDir: import.meta.dirname, bundle: true, minify: true, platform: 'node', target: 'node20', format: 'esm' };

// The library of `bivouac mcp` is larger than all the rest: it goes along as compressed text, which only that command reads.
const library = await build({ ...common, entryPoints: ['src/mcp/library.ts'], write: false });
const packed = brotliCompressSync(library.outputFiles[0].contents).toString('base64');

const result = await build({
  ...common,
  entryPoints: ['src/bivouac.ts'],
  outfile: 'dist/bivouac.js',
  alias: { '@bivouac/sdk/sealed': '../sdk-ts/src/sealed/index.ts', '@bivouac/sdk': '../sdk-ts/src/index.ts' },
  banner: { js: "#!/usr/bin/env node\nimport{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  define: { BIVOUAC_VERSION: JSON.stringify(version), BIVOUAC_MCP_LIBRARY: JSON.stringify(packed) },
  // Optional accelerators that ws looks for.
  external: ['bufferutil', 'utf-8-validate'],
  metafile: true,
});
chmodSync(new URL('dist/bivouac.js', import.meta.url), 0o755);
const bytes = Object.values(result.metafile.outputs)[0].bytes;
console.log(`cli: ${(bytes / 1024).toFixed(0)} kB`);
