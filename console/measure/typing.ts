// How long a keystroke takes to be seen: in the console, in Chromium, beside the protocol alone; in milliseconds.
import { chromium } from 'playwright-core';
import { WorkspaceClient } from '@bivouac/sdk';
import { TestServer } from '../../sdk-ts/test/harness/server.js';

const KEYS = 300;

interface Address {
  url: string;
  key: string;
}

function figures(times: number[]): { p50: number; p99: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** From writing a byte to reading its echo, by the SDK in this process. */
async function byProtocol(client: WorkspaceClient): Promise<number[]> {
  await using sandbox = await client.sandbox.create({ template: 'default' });
  await using terminal = await sandbox.terminal({ command: ['sh', '-c', 'echo begun; cat'] });
  while (!new TextDecoder().decode(await terminal.read()).includes('begun'));
  const times: number[] = [];
  for (let i = 0; i < KEYS; i++) {
    const begun = performance.now();
    await terminal.write('x');
    await terminal.read();
    times.push(performance.now() - begun);
  }
  return times;
}

/** From a key's event in the page to the screen's model having its echo. */
async function byBrowser(server: Address, client: WorkspaceClient): Promise<number[]> {
  await using sandbox = await client.sandbox.create({ template: 'default' });
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.getByLabel('API key').fill(server.key);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('live', { exact: true }).waitFor();
    await page.goto(`${server.url}/#/sandboxes/${sandbox.id}/terminal`);
    await page.getByText('open', { exact: true }).waitFor();
    await page.evaluate(() => {
      Object.assign(globalThis, {
        shown: () => (document.querySelector('.screen') as unknown as { screenText(): string }).screenText(),
      });
    });
    await page.keyboard.type('clear; exec cat\n');
    await page.waitForFunction(() => !shown().includes('exec'), undefined, { timeout: 30_000 });
    return await page.evaluate(async (count) => {
      const input = document.querySelector<HTMLTextAreaElement>('.xterm-helper-textarea');
      const times: number[] = [];
      for (let i = 1; i <= count; i++) {
        const before = shown().length;
        const begun = performance.now();
        input?.dispatchEvent(new KeyboardEvent('keypress', { key: 'x', charCode: 120, keyCode: 120, bubbles: true }));
        while (shown().length === before) await new Promise<void>((resolve) => scheduler.postTask(resolve));
        times.push(performance.now() - begun);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return times;
    }, KEYS);
  } finally {
    await browser.close();
  }
}

declare function shown(): string;
declare const scheduler: { postTask(act: () => void): void };

/** Against the server that is named, or one of its own. */
export async function typing(): Promise<Record<string, number>> {
  const { BIVOUAC_URL: url, BIVOUAC_API_KEY: key } = process.env;
  if (url !== undefined && key !== undefined) return measure({ url, key });
  const server = await TestServer.start();
  try {
    return await measure(server);
  } finally {
    await server.stop();
  }
}

async function measure(server: Address): Promise<Record<string, number>> {
  const client = new WorkspaceClient({ apiUrl: server.url, apiKey: server.key });
  const alone = figures(await byProtocol(client));
  const seen = figures(await byBrowser(server, client));
  return { protocolP50: alone.p50, protocolP99: alone.p99, browserP50: seen.p50, browserP99: seen.p99 };
}
