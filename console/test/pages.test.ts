import { expect, test } from 'vitest';
import { Receiver } from '../../cli/test/receiver.js';
import { newClient, newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { covered, logIn, open, PATIENCE, picture, screenText } from './browser.js';

test('a webhook is made, tested, looked at and sent again', async () => {
  const receiver = await Receiver.start();
  const { page, troubles } = await open();
  try {
    const key = await newProjectKey();
    await logIn(page, key);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No webhooks yet.').waitFor();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Types').fill('sandbox.*, webhook.*');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByText('it is not shown again').waitFor();
    expect(await page.locator('output').textContent()).toMatch(/^whsec_/);
    await picture(page, 'webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Test' }).click();
    await expect.poll(() => receiver.received.length, PATIENCE).toBe(1);
    await using sandbox = await newClient({ apiKey: key }).sandbox.create({ template: 'default' });
    const running = page.getByRole('row', { name: /sandbox\.running/ }).filter({ hasText: 'delivered' });
    await running.locator('summary').click();
    await running.getByText('taken', { exact: true }).waitFor();
    await picture(page, 'webhook');
    const ids = (): Array<string | undefined> => receiver.received.filter(({ body }) => body.includes('"sandbox.running"')).map(({ headers }) => headers['webhook-id']);
    expect(ids()).toHaveLength(1);
    await running.getByRole('button', { name: 'Resend' }).click();
    await expect.poll(ids, PATIENCE).toHaveLength(2);
    expect(ids()[1]).toBe(ids()[0]);
    expect(sandbox.state).toBe('running');
    await page.getByLabel('State').selectOption('dead');
    await page.getByText('No deliveries yet.').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('disabled', { exact: true }).waitFor();
    expect(troubles).toEqual([]);
  } finally {
    receiver.close();
    await page.close();
  }
});

test('a first look that fails is repeated, while the stream stands', async () => {
  const { page } = await open();
  let failed = false;
  await page.route('**/api/v1/sandboxes?*', (route) => {
    if (failed) return route.continue();
    failed = true;
    return route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":9001,"name":"INTERNAL","detail":"not now"}' });
  });
  await logIn(page, await newProjectKey());
  expect(failed).toBe(true);
  await page.getByText('No sandboxes yet.').waitFor();
  await page.close();
});

test('a reload comes back to the terminals of its page, and leaves none behind', async () => {
  const key = await newProjectKey();
  const client = newClient({ apiKey: key });
  await using sandbox = await client.sandbox.create({ template: 'default' });
  await using _elsewhere = await sandbox.terminal({ command: ['cat'] });
  const alive = async (): Promise<number> => (await sandbox.pty.list()).items.filter(({ status }) => status !== 'terminated').length;
  const { page, troubles } = await open();
  await logIn(page, key);
  await page.goto(`${page.url().split('#')[0]}#/sandboxes/${sandbox.id}/terminal`);
  await page.getByText('open', { exact: true }).waitFor();
  await page.keyboard.type('stay=$((40 + 2)); echo "before $stay"\n');
  await expect.poll(() => screenText(page), PATIENCE).toContain('before 42');
  await page.getByRole('button', { name: 'Encrypted: new terminal, encrypted end to end' }).click();
  await page.locator('code.fingerprint').getByText(/^SHA256:/).waitFor();
  expect(await alive()).toBe(3);
  await page.reload();
  await page.getByText('open', { exact: true }).waitFor();
  await expect.poll(() => screenText(page), PATIENCE).toContain('before 42');
  await page.keyboard.type('echo "after $stay"\n');
  await expect.poll(() => screenText(page), PATIENCE).toContain('after 42');
  expect(await page.getByRole('tab').count()).toBe(1);
  await expect.poll(alive, PATIENCE).toBe(2);
  await page.getByRole('link', { name: 'Back to the sandbox' }).click();
  await expect.poll(alive, PATIENCE).toBe(1);
  expect(troubles).toEqual([]);
  await page.close();
});

test('a terminal is recorded, and played again', async () => {
  const key = await newProjectKey();
  const client = newClient({ apiKey: key });
  await using sandbox = await client.sandbox.create({ template: 'default', name: 'recorded' });
  const { page, troubles } = await open();
  await logIn(page, key);
  await page.goto(`${page.url().split('#')[0]}#/sandboxes/${sandbox.id}/terminal`);
  await page.getByText('open', { exact: true }).waitFor();
  await page.getByRole('button', { name: '● Record: new terminal that is recorded' }).click();
  await page.getByRole('tab', { name: 'Terminal 2 ●' }).waitFor();
  await page.getByText('open', { exact: true }).waitFor();
  await page.keyboard.type('PS1="> "; clear; echo "recorded $((40 + 2))"; exit\n');
  await page.getByText('closed', { exact: true }).waitFor();
  await expect.poll(async () => (await client.recordings.list()).items[0]?.complete, PATIENCE).toBe(true);
  await page.getByRole('link', { name: 'Recordings' }).click();
  await page.getByRole('link', { name: 'recorded' }).waitFor();
  await picture(page, 'recordings');
  await page.locator('td a').first().click();
  await expect.poll(() => screenText(page), PATIENCE).toContain('recorded 42');
  await page.getByRole('button', { name: 'Play' }).waitFor();
  await picture(page, 'recording');
  // Back to the beginning, by keyboard, and on to the end.
  await page.getByLabel('Position').focus();
  await page.keyboard.press('Home');
  await expect.poll(() => screenText(page), PATIENCE).not.toContain('recorded 42');
  await page.keyboard.press('End');
  await expect.poll(() => screenText(page), PATIENCE).toContain('recorded 42');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()]);
  expect(download.suggestedFilename()).toMatch(/^pty-.*\.cast$/);
  expect(troubles).toEqual([]);
  await page.close();
});

test('a command is run, its output seen, and killed; logs and keys are there', async () => {
  const key = await newProjectKey();
  await using sandbox = await newClient({ apiKey: key }).sandbox.create({ template: 'default' });
  const { page, troubles } = await open({ colorScheme: 'dark' });
  await logIn(page, key);
  await page.getByRole('link', { name: sandbox.id }).click();
  await page.getByLabel('Command').fill('echo "out $((1 + 1))"; echo aside >&2; sleep 1000');
  await page.getByRole('button', { name: 'Run' }).click();
  // The output stands below the command, without another click.
  await page.getByText('out 2', { exact: true }).waitFor();
  await page.getByText('aside', { exact: true }).waitFor();
  await page.getByLabel('Command').fill('echo second');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText(/^exit 0 · /).waitFor();
  expect(await page.locator('.cells li code').first().textContent()).toBe('echo second');
  await picture(page, 'command-output');
  await page.locator('.cells li').last().getByRole('button', { name: 'Kill' }).click();
  await page.getByText(/^exit -15/).waitFor();
  await picture(page, 'sandbox-dark');
  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByLabel('Name').fill('for a friend');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByText('API key "for a friend" – copy it now, it is not shown again').waitFor();
  await page.getByRole('row', { name: /for a friend/ }).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('revoked', { exact: true }).waitFor();
  expect(troubles).toEqual([]);
  await page.close();
});

test('every page can be read in the dark and on a phone, and reached by keyboard', async () => {
  await using sandbox = await newClient().sandbox.create({ template: 'default', name: 'seen on a phone' });
  const { page, troubles } = await open({ colorScheme: 'dark', viewport: { width: 390, height: 780 } });
  await logIn(page);
  for (const name of ['Recordings', 'Templates', 'Webhooks', 'Keys', 'Audit', 'System', 'Sandboxes']) {
    await page.getByRole('navigation').getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name }).waitFor();
    await page.locator('td, dd').first().waitFor({ state: 'attached' });
    await picture(page, `phone-dark-${name.toLowerCase()}`);
    const fits = await page.evaluate(() => [document.documentElement, document.querySelector('.content')].every((one) => one !== null && one.scrollWidth <= one.clientWidth));
    expect(fits, `${name} fits the width`).toBe(true);
    expect(await covered(page), `${name} can be pressed`).toEqual([]);
  }
  expect(await page.locator('.toast').count()).toBe(0);
  await page.getByRole('link', { name: 'seen on a phone' }).click();
  await page.getByText('sandbox.running').waitFor();
  await page.getByRole('button', { name: 'Extend 30 min' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'System' }).click();
  await page.getByRole('button', { name: 'Clean up now' }).click();
  await page.locator('.toast').first().waitFor();
  await picture(page, 'phone-dark-toast');
  await page.getByRole('button', { name: 'Dismiss' }).first().click();
  expect(troubles).toEqual([]);
  await page.close();
  expect(sandbox.state).toBe('running');
});
