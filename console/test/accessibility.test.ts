import { expect, test } from 'vitest';
import { newClient, newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { violations } from './barriers.js';
import { logIn, open, picture, proxy } from './browser.js';

test.each(['light', 'dark'] as const)('no page has a serious barrier, %s', async (colorScheme) => {
  const key = await newProjectKey();
  const client = newClient({ apiKey: key });
  await using sandbox = await client.sandbox.create({ template: 'default', name: 'for everyone', labels: { team: 'a', stage: 'test' } });
  await client.sandbox.create({ template: 'default', name: 'soon over', timeoutSeconds: 240 });
  await sandbox.files.write('read.md', '# Title\n\n[link](https://example.org/) and `code`\n');
  const { page } = await open({ colorScheme });
  const found: Record<string, string[]> = {};
  const look = async (name: string): Promise<void> => {
    await picture(page, `${colorScheme}-${name}`);
    found[name] = await violations(page);
  };
  try {
    await page.goto(proxy.url);
    await page.getByLabel('API key').waitFor();
    await look('login');
    await logIn(page, key);
    // At the start, what runs is seen.
    await page.goto(`${proxy.url}/#/`);
    await page.getByRole('link', { name: 'Open for everyone' }).waitFor();
    await page.locator('.chart canvas').first().waitFor({ state: 'attached' });
    await look('overview');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'New sandbox' }).waitFor();
    await look('palette');
    await page.keyboard.press('Escape');
    await page.goto(`${proxy.url}/#/sandboxes`);
    await page.getByRole('link', { name: 'for everyone' }).waitFor();
    await page.getByLabel('Select all').click();
    await look('sandboxes');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'New sandbox' }).click();
    await page.getByLabel('Name').waitFor();
    await look('create');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'soon over' }).click();
    await page.locator('.banner').waitFor();
    await look('expiring');
    const at = (path: string): Promise<unknown> => page.goto(`${proxy.url}/#/${path}`);
    await at(`sandboxes/${sandbox.id}`);
    await page.getByLabel('Command').fill('echo out; echo err >&2; exit 3');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText(/^exit 3 · /).waitFor();
    await page.getByText('sandbox.running').waitFor();
    await look('sandbox');
    await at(`sandboxes/${sandbox.id}/code`);
    await page.getByLabel('Code of cell 1').fill('print("seen")');
    await look('code');
    await at(`sandboxes/${sandbox.id}/files/workspace/read.md`);
    await page.getByRole('heading', { name: 'Title' }).waitFor();
    await look('files');
    await at(`sandboxes/${sandbox.id}/terminal`);
    await page.getByText('open', { exact: true }).waitFor();
    await look('terminal');
    for (const name of ['recordings', 'templates', 'webhooks', 'keys', 'audit']) {
      await at(name);
      await page.locator('td').first().waitFor();
      await look(name);
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, all]) => all.length > 0))).toEqual({});
  } finally {
    await page.close();
  }
});
