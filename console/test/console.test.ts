import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { newProject, newProjectKey, url } from '../../sdk-ts/test/harness/shared.js';
import { logIn, open, PATIENCE, picture, proxy, screenText } from './browser.js';

test('a wrong key is refused, a right one is kept where no script can read it', async () => {
  const { page } = await open();
  await page.goto(proxy.url);
  await page.getByLabel('API key').fill('bvk_wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('This key is not known').waitFor();
  await picture(page, 'login');
  await logIn(page);
  expect(await page.evaluate(() => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage))).toBe('{}{}');
  await page.reload();
  await page.getByRole('heading', { name: 'Sandboxes' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('API key').waitFor();
  await page.close();
});

test('the page may load and talk to nothing but its own server', async () => {
  const answer = await fetch(url);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  const asset = /src="(\/assets\/[^"]+)"/.exec(await answer.text())?.[1] ?? '';
  expect((await fetch(url + asset)).headers.get('cache-control')).toContain('immutable');
});

test('what others do appears by itself', async () => {
  const client = await newProject();
  const made = await client.keys.create({ name: 'console', role: 'admin' });
  const { page, troubles } = await open();
  await logIn(page, made.key);
  await page.getByText('No sandboxes yet.').waitFor();
  const sandbox = await client.sandbox.create({ template: 'default', name: 'made elsewhere', labels: { team: 'a' } });
  await page.getByRole('link', { name: 'made elsewhere' }).waitFor();
  await picture(page, 'sandboxes');
  proxy.cut();
  await sandbox.stop();
  await page.getByText('stopped', { exact: true }).waitFor();
  await sandbox.delete();
  await page.getByText('No sandboxes yet.').waitFor();
  expect(troubles.filter((text) => !text.includes('ERR_CONNECTION') && !text.includes('ERR_INCOMPLETE'))).toEqual([]);
  await page.close();
});

test('create, look, type in the terminal, see vi, resize, lose the connection and go on', async () => {
  const { page, troubles } = await open();
  await logIn(page, await newProjectKey());
  await page.getByRole('button', { name: 'New sandbox' }).click();
  await page.getByLabel('Name').fill('from the console');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'from the console' }).waitFor();
  await page.locator('.chart canvas').first().waitFor({ state: 'attached' });
  await page.getByText('sandbox.running').waitFor();
  await picture(page, 'sandbox');
  await page.getByRole('link', { name: 'Open terminal' }).click();
  await page.getByText('open', { exact: true }).waitFor();
  await page.keyboard.type('PS1="> "; clear; stty size; echo typed-$((40 + 2))\n');
  await expect.poll(() => screenText(page), PATIENCE).toContain('typed-42');
  const before = /(\d+) (\d+)/.exec(await screenText(page))?.[0];
  await page.setViewportSize({ width: 800, height: 600 });
  await expect
    .poll(async () => {
      await page.keyboard.type('clear; stty size\n');
      return /^(\d+ \d+)/m.exec(await screenText(page))?.[1] ?? before;
    }, PATIENCE)
    .not.toBe(before);
  await page.keyboard.type('printf "alpha\\nbeta\\n" > letters; vi letters\n');
  await expect.poll(() => screenText(page), PATIENCE).toMatch(/alpha\nbeta\n~/);
  await picture(page, 'terminal-vi');
  await page.keyboard.type('ggOfirst');
  await page.keyboard.press('Escape');
  await page.keyboard.type(':wq\n');
  // What is typed before it has ended would be vi's.
  await expect.poll(() => screenText(page), PATIENCE).not.toMatch(/^~/m);
  await page.keyboard.type('clear; (sleep 2; echo said-while-away) &\n');
  await expect.poll(() => screenText(page), PATIENCE).not.toContain('alpha');
  proxy.refuse(true);
  await page.getByText('reconnecting', { exact: true }).waitFor();
  await page.getByText('The connection is lost.').waitFor();
  await picture(page, 'terminal-reconnecting');
  await page.keyboard.type('cat letters\n');
  proxy.refuse(false);
  await page.getByText('open', { exact: true }).waitFor();
  await expect.poll(() => screenText(page), PATIENCE).toContain('said-while-away');
  await expect.poll(() => screenText(page), PATIENCE).toMatch(/first\nalpha\nbeta/);
  await page.getByText('The connection is lost.').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: '+ New terminal' }).click();
  await page.getByRole('tab', { name: 'Terminal 2' }).waitFor();
  await page.getByText('open', { exact: true }).waitFor();
  await page.keyboard.type('echo "in the $((1 + 1))nd, see http://127.0.0.1/"\n');
  await expect.poll(() => screenText(page), PATIENCE).toContain('in the 2nd');
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('in the 2nd');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await picture(page, 'terminal-search');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+L');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Terminal 2');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => screenText(page), PATIENCE).toContain('said-while-away');
  await page.getByRole('button', { name: 'Encrypted: new terminal, encrypted end to end' }).click();
  await page.locator('code.fingerprint').getByText(/^SHA256:/).waitFor();
  await page.keyboard.type('clear; echo sealed-$((40 + 3))\n');
  await expect.poll(() => screenText(page), PATIENCE).toContain('sealed-43');
  await picture(page, 'terminal');
  await page.getByRole('link', { name: 'Back to the sandbox' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted from the console.').waitFor();
  expect(troubles.filter((text) => !/ERR_|WebSocket connection/.test(text))).toEqual([]);
  await page.close();
});

test('any page of ours can embed a terminal', async () => {
  const client = await newProject();
  await using sandbox = await client.sandbox.create({ template: 'default' });
  const made = await client.keys.create({ name: 'page', role: 'developer' });
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, '../../sdk-ts/src/element.ts')],
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'error',
  });
  const { page, troubles } = await open();
  await logIn(page, made.key);
  await page.evaluate(bundle.outputFiles[0]?.text ?? '');
  await page.evaluate((id) => {
    const element = document.createElement('bivouac-terminal');
    element.setAttribute('sandbox', id);
    element.addEventListener('bivouac-open', () => element.setAttribute('data-open', 'yes'));
    document.body.replaceChildren(element);
  }, sandbox.id);
  await page.locator('bivouac-terminal[data-open]').waitFor();
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type('echo embedded-$((1 + 1))\n');
  await page.getByText('embedded-2').first().waitFor();
  const status = async (): Promise<string | undefined> => (await sandbox.pty.list()).items[0]?.status;
  // Moved, it goes on; removed, it ends what it made.
  await page.evaluate(() => {
    const place = document.body.appendChild(document.createElement('section'));
    place.append(document.querySelector('bivouac-terminal') ?? '');
  });
  await page.locator('.xterm-helper-textarea').focus();
  await page.keyboard.type('echo moved-$((1 + 2))\n');
  await page.getByText('moved-3').first().waitFor();
  await page.evaluate(() => document.querySelector('bivouac-terminal')?.remove());
  await expect.poll(status, PATIENCE).toBe('terminated');
  expect((await sandbox.pty.list()).items).toHaveLength(1);
  expect(troubles).toEqual([]);
  await page.close();
});

test('a permission request pops up with what, where and why, and is answered', async () => {
  const client = await newProject();
  await using sandbox = await client.sandbox.create({ template: 'default', name: 'asks' });
  const made = await client.keys.create({ name: 'console', role: 'developer' });
  const { page, troubles } = await open();
  await logIn(page, made.key);
  const ask = (resource: string): ReturnType<typeof sandbox.process.run> =>
    sandbox.process.run(`bivouac-ask --action file_write --resource ${resource} --description 'adds a name' --timeout 300`);
  const prompt = page.getByRole('alertdialog');

  const once = ask('/etc/hosts');
  await prompt.getByText('/etc/hosts').waitFor();
  for (const text of ['script: file_write', 'adds a name', 'at /workspace', 'asks']) await prompt.getByText(text).waitFor();
  await picture(page, 'permission');
  await prompt.getByRole('button', { name: 'Allow once' }).click();
  expect((await once).exitCode).toBe(0);
  await prompt.waitFor({ state: 'detached' });

  const denied = ask('/etc/passwd');
  await prompt.getByRole('button', { name: 'Deny' }).click();
  expect((await denied).exitCode).toBe(1);

  const lasting = ask('/etc/hostname');
  await prompt.getByLabel('How long').selectOption('1 hour');
  await prompt.getByRole('button', { name: 'Allow for' }).click();
  expect((await lasting).exitCode).toBe(0);
  expect((await ask('/etc/hostname')).exitCode).toBe(0);

  // Answered elsewhere, it goes away; open when one comes, it is there.
  const elsewhere = ask('/etc/motd');
  await prompt.getByText('/etc/motd').waitFor();
  await page.reload();
  await prompt.getByText('/etc/motd').waitFor();
  const { items } = await client.permissions.list({ state: 'open' });
  await client.permissions.answer(items[0]?.id ?? '', { granted: false });
  await prompt.waitFor({ state: 'detached' });
  expect((await elsewhere).exitCode).toBe(1);
  expect(troubles).toEqual([]);
  await page.close();
});
