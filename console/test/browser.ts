import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { CuttingProxy } from '../../sdk-ts/test/harness/cutting-proxy.js';
import { key, url } from '../../sdk-ts/test/harness/shared.js';

const PICTURES = join(import.meta.dirname, '../target/screenshots');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Less while tests are written, so that one that cannot succeed says so. */
export const PATIENCE = { timeout: Number(process.env.CONSOLE_TEST_PATIENCE ?? 60_000) };

let browser: Browser;
export let proxy: CuttingProxy;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  const executablePath = BROWSERS.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('No Chromium found; install the package chromium.');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  proxy = await CuttingProxy.to(url);
});
afterAll(async () => {
  await browser.close();
  await proxy.close();
});

/** A page that remembers when it breaks its own policy or throws. */
export async function open(options: Parameters<Browser['newPage']>[0] = {}): Promise<{ page: Page; troubles: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
  page.setDefaultTimeout(PATIENCE.timeout);
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('401')) troubles.push(message.text());
  });
  return { page, troubles };
}

/** Logs in, at the list of sandboxes. */
export async function logIn(page: Page, withKey = key): Promise<void> {
  await page.goto(`${proxy.url}/#/sandboxes`);
  await page.getByLabel('API key').fill(withKey);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('live', { exact: true }).waitFor();
}

export function picture(page: Page, name: string): Promise<unknown> {
  return page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

/** What the shown terminal's screen has, line by line. */
export function screenText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const shown = document.querySelector('.screen:not([hidden]), .player-screen') as { screenText?: () => string } | null;
    return shown?.screenText?.() ?? '';
  });
}

/** What somebody could not press: it lies under something else, or beside the screen. */
export function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCovered = (element: Element): boolean => {
      element.scrollIntoView({ block: 'nearest' });
      // Of a link over several lines, the first.
      const first = element.getClientRects()[0];
      if (first === undefined || first.width === 0 || first.height === 0) return false;
      const { left, top, width, height } = first;
      const [x, y] = [left + width / 2, top + height / 2];
      return !element.contains(document.elementFromPoint(x, y));
    };
    const all = document.querySelectorAll('a, button, input, select');
    return [...all].filter(isCovered).map((element) => element.outerHTML);
  });
}
