#!/usr/bin/env node
// Makes demo.svg, the moving picture of README.md, from a real run: a server on a data folder of its own, the command
// line in tmux, the console in Chromium. The terminal's text is the terminal's own; the console's pictures are the
// browser's. Only pauses of more than a second are shortened.
//
//   ./gradlew build -x test && node docs/images/make-demo.mjs
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { DemoServer } from './demo/server.mjs';
import { DemoShell } from './demo/shell.mjs';
import { DemoConsole } from './demo/console.mjs';
import { svg } from './demo/svg.mjs';

const root = process.env.BIVOUAC_ROOT ?? join(import.meta.dirname, '../..');
const target = join(import.meta.dirname, 'demo.svg');
// Not below a home folder: the sandboxes and PostgreSQL run as other users, who must be able to pass.
const folder = mkdtempSync(join(tmpdir(), 'bivouac-demo-'));

const server = await DemoServer.start(join(root, 'launcher/target/bivouac'), join(folder, 'data'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const shell = new DemoShell(folder, join(root, 'cli/dist/bivouac.js'), server);
try {
  await server.warmUp(20);
  const page = await DemoConsole.open(browser, server);
  await shell.ready();

  shell.film.mark('create');
  await shell.type('bivouac sandbox create --name agent-1 -T python:3.11');
  const id = await shell.waitFor(/sbx-[0-9a-z]{26}/);
  await shell.prompt(/\$ $/);
  shell.hold(900);

  shell.film.mark('terminal');
  await shell.type(`bivouac exec -it ${id}`);
  await shell.prompt(/bash[^\n]*\$ $/);
  await shell.type('python3 -c "import os; print(os.getcwd(), os.getuid())"');
  await shell.waitFor(/\/workspace \d+/);
  await shell.type('curl -sS https://example.org');
  await shell.waitFor(/403/);
  shell.hold(900);
  await shell.type('bivouac-ask --action deploy --resource prod --description "Release 1.4" && echo deployed');

  await page.asked();
  shell.hold(500);
  shell.film.mark('asked');
  const card = await page.picture();
  const press = await page.allow();
  const granted = await page.picture();
  await shell.waitFor(/^deployed/m);
  shell.film.mark('granted');
  shell.hold(2_500);
  const picture = svg(shell.film.end(), { card, press, granted });
  writeFileSync(target, picture);
  console.log(`${target}: ${Math.round(picture.length / 1024)} kB`);
} finally {
  shell.close();
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
