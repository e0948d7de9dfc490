import { expect, test } from 'vitest';
import { newClient, newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { logIn, open, PATIENCE, picture, proxy, screenText } from './browser.js';

test('the overview shows what runs, and the palette goes there', async () => {
  const key = await newProjectKey();
  const client = newClient({ apiKey: key });
  await using sandbox = await client.sandbox.create({ template: 'default', name: 'busy', labels: { team: 'a' } });
  await sandbox.process.run('echo said-$((40 + 2))');
  const { page, troubles } = await open();
  await logIn(page, key);
  await page.getByRole('link', { name: 'Overview' }).click();
  const running = page.getByRole('list', { name: 'Running sandboxes' });
  // Without a terminal, its last command is seen; with one, its screen.
  await running.getByText('said-42').waitFor();
  await picture(page, 'overview');
  await using _terminal = await sandbox.terminal({ cols: 60, rows: 10, command: ['sh', '-c', 'echo from-the-terminal; cat'] });
  await running.getByRole('link', { name: /^Attach to / }).waitFor();
  await running.locator('.live-screen .xterm').waitFor();
  await page.getByRole('region', { name: 'Activity' }).getByText('opened a terminal').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('terminal busy');
  await page.getByRole('option', { name: 'Terminal: busy' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('open', { exact: true }).waitFor();
  // A second one beside it: both are seen.
  await page.getByRole('button', { name: 'Split right' }).click();
  await expect.poll(() => page.locator('.split .screen:not([hidden])[data-state=open]').count(), PATIENCE).toBe(2);
  await page.keyboard.type('echo right-$((1 + 1))\n');
  await expect.poll(() => page.evaluate(() => (document.querySelectorAll('.screen:not([hidden])')[1] as unknown as { screenText(): string }).screenText()), PATIENCE).toContain('right-2');
  expect(await screenText(page)).not.toContain('right-2');
  await picture(page, 'terminal-split');
  expect(troubles).toEqual([]);
  await page.close();
});

test('the list is filtered, and all that are selected are stopped and deleted', async () => {
  const key = await newProjectKey();
  const client = newClient({ apiKey: key });
  const made = await Promise.all(['one', 'two'].map((name) => client.sandbox.create({ template: 'default', name, labels: { team: name === 'one' ? 'a' : 'b' } })));
  const { page, troubles } = await open();
  await logIn(page, key);
  await page.getByRole('link', { name: 'one' }).waitFor();
  await page.getByRole('button', { name: 'team=b' }).click();
  await page.getByRole('link', { name: 'one' }).waitFor({ state: 'detached' });
  await page.getByText('1 of 2', { exact: true }).waitFor();
  await page.getByLabel('Filter').fill('');
  await page.getByLabel('Select all').click();
  await page.getByRole('region', { name: 'Selected sandboxes' }).getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Stopped 2' }).click();
  await expect.poll(() => page.locator('tr.entry').count(), PATIENCE).toBe(2);
  await page.getByLabel('Select all').click();
  await page.getByRole('region', { name: 'Selected sandboxes' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No sandboxes yet.').waitFor();
  expect((await client.sandbox.list()).items).toEqual([]);
  expect(made).toHaveLength(2);
  expect(troubles).toEqual([]);
  await page.close();
});

test('hosts are allowed and closed on the page of a sandbox, and one that was blocked is seen', async () => {
  const key = await newProjectKey();
  await using sandbox = await newClient({ apiKey: key }).sandbox.create({ template: 'default', name: 'asks', egress: { allow: [], ask: false } });
  const { page, troubles } = await open();
  await logIn(page, key);
  await page.goto(`${proxy.url}/#/sandboxes/${sandbox.id}`);
  const network = page.getByRole('region', { name: 'Network' });
  await sandbox.process.run('curl -sS https://closed.example.org');
  await network.locator('.blocked code').getByText('closed.example.org:443').waitFor();
  await picture(page, 'network');
  await network.getByRole('button', { name: 'Allow closed.example.org:443' }).click();
  await network.getByRole('button', { name: 'Remove closed.example.org:443' }).waitFor();
  await network.getByLabel('Host to allow').fill('*.example.net:8443');
  await network.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect.poll(async () => (await sandbox.refresh()).egress.allow, PATIENCE).toEqual(['closed.example.org:443', '*.example.net:8443']);
  await network.getByRole('button', { name: 'Remove *.example.net:8443' }).click();
  await expect.poll(async () => (await sandbox.refresh()).egress.allow, PATIENCE).toEqual(['closed.example.org:443']);
  expect(troubles).toEqual([]);
  await page.close();
});
