#!/usr/bin/env node
// Takes the console's pictures that documents show from those that its browser tests leave behind.
//
//   npx vitest run console && node docs/images/make-console.mjs
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

const PICTURES = ['overview', 'sandboxes', 'sandbox', 'terminal-vi', 'webhook', 'recording'];

for (const name of PICTURES) {
  copyFileSync(join(import.meta.dirname, '../../console/target/screenshots', `${name}.png`), join(import.meta.dirname, `console-${name}.png`));
}
