import type { Sandbox, WorkspaceClient } from '@bivouac/sdk';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newClient, newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { logIn, open, PATIENCE, picture, proxy, screenText } from './browser.js';

interface Scene {
  page: Page;
  client: WorkspaceClient;
  sandbox: Sandbox;
  troubles: string[];
}

async function atSandbox(act: (scene: Scene) => Promise<void>, params: { timeoutSeconds?: number } = {}): Promise<void> {
  const key = await newProjectKey();
  const client = newClient({ apiKey: key });
  await using sandbox = await client.sandbox.create({ template: 'default', name: 'looked at', ...params });
  const { page, troubles } = await open();
  try {
    await logIn(page, key);
    await page.getByRole('link', { name: 'looked at' }).click();
    await page.getByRole('heading', { name: 'looked at' }).waitFor();
    await act({ page, client, sandbox, troubles });
  } finally {
    await page.close();
  }
}

/** Looks for all that a page of the console's origin could use, and writes what it found into its title. */
const THIEF = `<script>
  const found = [document.cookie];
  try { found.push(...Object.keys(localStorage), ...Object.keys(sessionStorage)); } catch {}
  const steal = async (where) => { try { const answer = await fetch(where, { credentials: 'include' }); if (answer.ok) found.push(where, await answer.text()); } catch {} };
  Promise.all([steal('CONSOLE/api/v1/session'), steal('CONSOLE/api/v1/sandboxes'), steal('/api/v1/session')]).then(() => { document.title = 'found:' + found.filter((one) => one !== '').join(); });
</script>`;

test('a page of a sandbox opens at another origin, where nothing of the console can be read', () =>
  atSandbox(async ({ page, sandbox }) => {
    const console = new URL(page.url()).origin;
    await sandbox.files.write('index.html', THIEF.replaceAll('CONSOLE', console));
    await sandbox.process.start('python3 -m http.server 8000');
    await page.getByRole('button', { name: 'Open of port 8000' }).waitFor();
    await page.getByText('python3', { exact: true }).waitFor();
    await picture(page, 'ports');
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: 'Open of port 8000' }).click()]);
    await expect.poll(() => opened.title(), PATIENCE).toBe('found:');
    expect(new URL(opened.url()).hostname).not.toBe(new URL(console).hostname);
    expect(await opened.evaluate(() => window.opener === null)).toBe(true);
    await opened.close();
    // Under the console's own origin, the path opens nothing to a browser, and what it gives to programs is sandboxed.
    const path = `${console}/sandbox/${sandbox.id}/port/8000/index.html`;
    expect((await page.request.get(path)).status()).toBe(401);
    const answer = await page.request.get(path, { headers: { 'X-Access-Token': sandbox.accessToken ?? '' } });
    expect(answer.status()).toBe(200);
    expect(answer.headers()['content-security-policy']).toContain('sandbox');
    expect(answer.headers()['set-cookie']).toBeUndefined();
    // The address for NFS can be copied as it is.
    if (sandbox.toJSON().nfs !== undefined) {
      const mount = page.locator('dl.facts div').filter({ hasText: 'Mount (NFS)' });
      await mount.getByText(/^(sudo )?mount /).waitFor();
      await mount.getByRole('button', { name: 'Copy' }).waitFor();
    }
  }));

test('open terminals are seen, watched, attached to and ended from anywhere', () =>
  atSandbox(async ({ page, sandbox, client, troubles }) => {
    const elsewhere = await sandbox.terminal({ cols: 70, rows: 20, command: ['sh', '-c', 'echo from-elsewhere; cat'] });
    await page.getByRole('heading', { name: 'Terminals: 1 open' }).waitFor();
    const row = page.getByRole('row', { name: /from-elsewhere/ });
    await row.getByText('70×20').waitFor();
    await picture(page, 'terminals');
    await row.getByRole('link', { name: 'Watch' }).click();
    await expect.poll(() => screenText(page), PATIENCE).toContain('from-elsewhere');
    await page.getByRole('link', { name: 'Back to the sandbox' }).click();
    await row.getByRole('link', { name: 'Attach' }).click();
    await page.getByText('open', { exact: true }).waitFor();
    await page.keyboard.type('typed here\n');
    await expect.poll(() => screenText(page), PATIENCE).toMatch(/typed here\n+typed here/);
    expect(await page.title()).toContain('looked at');
    await page.locator('.about').getByText('looked at').waitFor();
    // Leaving does not end what was opened elsewhere.
    await page.getByRole('link', { name: 'Back to the sandbox' }).click();
    await row.getByRole('button', { name: 'End' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('No terminal is open.').waitFor();
    expect((await client.terminals.list()).items).toEqual([]);
    await elsewhere.wait();
    expect(troubles).toEqual([]);
  }));

test('a sandbox that expires soon says so, and is extended at once', () =>
  atSandbox(
    async ({ page, sandbox, troubles }) => {
      const banner = page.locator('.banner');
      await banner.getByText(/^Expires in [1-4] min$/).waitFor();
      await page.locator('.head .expires.soon, .head .expires.now').waitFor();
      await picture(page, 'expiring');
      await page.getByRole('link', { name: 'Open terminal' }).click();
      await page.getByText('open', { exact: true }).waitFor();
      const before = await page.locator('.screen-place').boundingBox();
      await page.locator('.terminal-page .banner').getByRole('button', { name: 'Extend 30 min' }).click();
      await page.getByText(/^Expires at .* now \(\+30 min\)\.$/).waitFor();
      await banner.waitFor({ state: 'hidden' });
      // A card over the page: the terminal gets the banner's room, and loses none.
      expect((await page.locator('.screen-place').boundingBox())?.height).toBeGreaterThanOrEqual(before?.height ?? 0);
      await page.getByText(/expires in 3[0-9] min/).waitFor();
      expect(Date.parse((await sandbox.refresh()).expiresAt) - Date.now()).toBeGreaterThan(30 * 60_000);
      expect(troubles).toEqual([]);
    },
    { timeoutSeconds: 240 },
  ));

test('the keyboard is back in the terminal after a permission was answered, also by keyboard', () =>
  atSandbox(async ({ page, sandbox }) => {
    await page.getByRole('link', { name: 'Open terminal' }).click();
    await page.getByText('open', { exact: true }).waitFor();
    const ask = (resource: string): ReturnType<typeof sandbox.process.run> => sandbox.process.run(`bivouac-ask --action file_write --resource ${resource} --timeout 300`);
    const prompt = page.getByRole('alertdialog');
    const clicked = ask('/etc/hosts');
    await prompt.getByRole('button', { name: 'Allow once' }).click();
    expect((await clicked).exitCode).toBe(0);
    await prompt.waitFor({ state: 'detached' });
    await page.keyboard.type('echo after-$((1 + 1))\n');
    await expect.poll(() => screenText(page), PATIENCE).toContain('after-2');
    const pressed = ask('/etc/passwd');
    await prompt.getByText('/etc/passwd').waitFor();
    await prompt.locator('button[data-answer=deny]:not([disabled])').waitFor();
    await page.keyboard.press('Control+Shift+X');
    expect((await pressed).exitCode).toBe(1);
    await prompt.waitFor({ state: 'detached' });
    await page.keyboard.type('echo again-$((1 + 2))\n');
    await expect.poll(() => screenText(page), PATIENCE).toContain('again-3');
  }));

test('what is not there is said to be not there, and a silent server is noticed', () =>
  atSandbox(async ({ page, sandbox }) => {
    const console = page.url().split('#')[0];
    await page.goto(`${console}#/sandboxes/sbx-00000000000000000000000000`);
    await page.getByRole('heading', { name: 'Unknown sandbox' }).waitFor();
    await page.goto(`${console}#/nothing`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.goto(`${console}#/sandboxes/${sandbox.id}`);
    await page.getByRole('heading', { name: 'looked at' }).waitFor();
    await sandbox.delete();
    await page.getByText('deleted', { exact: true }).waitFor();
    await page.route('**/health', () => undefined);
    await page.getByRole('navigation', { name: 'Pages' }).getByText('no answer').waitFor();
    await page.unroute('**/health');
    await page.getByRole('navigation', { name: 'Pages' }).getByText('live', { exact: true }).waitFor();
    expect(proxy.url).toBe(new URL(page.url()).origin);
  }));
