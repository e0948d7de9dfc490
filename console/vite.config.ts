import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: source('.'),
  resolve: {
    alias: [
      { find: '@bivouac/sdk/sealed', replacement: source('../sdk-ts/src/sealed/index.ts') },
      { find: '@bivouac/sdk', replacement: source('../sdk-ts/src/index.ts') },
      // Browsers have a WebSocket of their own.
      { find: './node-socket.js', replacement: source('../sdk-ts/src/terminal/no-socket.ts') },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The page may load nothing that is not a file of its own: no inlined data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: Object.fromEntries(['/api', '/health', '/ready', '/docs'].map((path) => [path, { target: process.env.BIVOUAC_URL ?? 'http://127.0.0.1:8080', ws: true, changeOrigin: true }])) },
});
