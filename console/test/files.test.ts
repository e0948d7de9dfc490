import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Sandbox } from '@bivouac/sdk';
import type { Page } from 'playwright-core';
import { newClient, newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { covered, logIn, open, PATIENCE, picture } from './browser.js';

/** A picture of one red dot. */
const DOT = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='), (one) => one.charCodeAt(0));

interface Scene {
  page: Page;
  sandbox: Sandbox;
  troubles: string[];
}

async function inFiles(act: (scene: Scene) => Promise<void>, options: Parameters<typeof open>[0] = {}): Promise<void> {
  const key = await newProjectKey();
  await using sandbox = await newClient({ apiKey: key }).sandbox.create({ template: 'default', name: 'with files' });
  const { page, troubles } = await open(options);
  try {
    await logIn(page, key);
    await page.goto(`${page.url().split('#')[0]}#/sandboxes/${sandbox.id}/files`);
    await page.getByText('This folder is empty.').waitFor();
    await act({ page, sandbox, troubles });
  } finally {
    await page.close();
  }
}

/** What a drop of these files from the desktop does. */
function drop(page: Page, files: Array<{ name: string; text: string }>): Promise<void> {
  return page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of dropped) dataTransfer.items.add(new File([text], name));
    document.querySelector('.files')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, files);
}

test('files are made, edited, saved, renamed, fetched and deleted', () =>
  inFiles(async ({ page, sandbox, troubles }) => {
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name').fill('src');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'src', exact: true }).click();
    await page.getByRole('navigation', { name: 'Folder' }).getByText('src').waitFor();
    await page.getByRole('button', { name: 'New file' }).click();
    await page.getByLabel('Name').fill('hello.py');
    await page.getByRole('button', { name: 'Create' }).click();
    const editor = page.getByRole('textbox', { name: 'hello.py' });
    await editor.fill('print("hi")\n');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved hello.py.').waitFor();
    expect(await sandbox.files.read('src/hello.py')).toBe('print("hi")\n');
    // The address is the file's.
    await page.reload();
    await expect.poll(() => editor.inputValue(), PATIENCE).toBe('print("hi")\n');
    // What programs change is seen, and left alone where somebody is typing.
    await sandbox.files.write('src/hello.py', 'print("from inside")\n');
    await expect.poll(() => editor.inputValue(), PATIENCE).toBe('print("from inside")\n');
    await picture(page, 'files-editor');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download hello.py' }).click()]);
    expect(readFileSync(await file.path(), 'utf8')).toBe('print("from inside")\n');
    await page.getByRole('button', { name: 'Rename hello.py' }).click();
    await page.getByLabel('New name, or a path to move it to').fill('bye.py');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('link', { name: 'bye.py', exact: true }).waitFor();
    // What is gone is told, and its folder shown.
    await page.goBack();
    await page.locator('.toast.bad').waitFor();
    await page.getByRole('navigation', { name: 'Folder' }).getByRole('link', { name: 'workspace' }).click();
    const [folder] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download src' }).click()]);
    expect(folder.suggestedFilename()).toBe('src.zip');
    const zip = readFileSync(await folder.path());
    expect(zip.subarray(0, 2).toString()).toBe('PK');
    expect(zip.includes('bye.py')).toBe(true);
    await page.getByRole('button', { name: 'Delete src' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('This folder is empty.').waitFor();
    expect(troubles.filter((text) => !text.includes('404'))).toEqual([]);
  }));

test('a file that was changed meanwhile is not overwritten without a choice', () =>
  inFiles(async ({ page, sandbox, troubles }) => {
    await sandbox.files.write('notes.txt', 'one\r\ntwo\r\n');
    await page.getByRole('link', { name: 'notes.txt', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'notes.txt' });
    await editor.fill('mine\ntwo\n');
    await sandbox.files.write('notes.txt', 'theirs\r\n');
    await page.getByText('Changed in the sandbox meanwhile').waitFor();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByText('notes.txt was changed or removed in the sandbox after you opened it.').waitFor();
    await picture(page, 'files-conflict');
    await page.getByRole('button', { name: 'Keep editing' }).click();
    expect(await sandbox.files.read('notes.txt')).toBe('theirs\r\n');
    // Elsewhere and back: nothing that was typed is lost.
    await page.getByRole('navigation', { name: 'Pages of the sandbox' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Commands' }).waitFor();
    await page.goBack();
    await expect.poll(() => editor.inputValue(), PATIENCE).toBe('mine\ntwo\n');
    await save.click();
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByText('Saved notes.txt.').waitFor();
    expect(await sandbox.files.read('notes.txt')).toBe('mine\r\ntwo\r\n');
    await editor.fill('mine again\n');
    await sandbox.files.write('notes.txt', 'theirs again\n');
    await save.click();
    await page.getByRole('button', { name: 'Discard mine, load theirs' }).click();
    await expect.poll(() => editor.inputValue(), PATIENCE).toBe('theirs again\n');
    expect(troubles.filter((text) => !text.includes('412'))).toEqual([]);
  }));

test('dropped files are uploaded with progress, and replace others only when told to', () =>
  inFiles(async ({ page, sandbox, troubles }) => {
    await sandbox.files.write('there.txt', 'old');
    await page.getByRole('link', { name: 'there.txt', exact: true }).waitFor();
    const large = 'x'.repeat(8 * 1024 * 1024);
    await drop(page, [{ name: 'large.txt', text: large }, { name: 'small.txt', text: 'small' }, { name: 'there.txt', text: 'new' }]);
    await page.getByText('There is one already.').waitFor();
    await picture(page, 'files-upload');
    expect(await sandbox.files.read('there.txt')).toBe('old');
    await page.getByRole('button', { name: 'Replace' }).click();
    await expect.poll(() => sandbox.files.read('there.txt'), PATIENCE).toBe('new');
    await page.getByRole('link', { name: 'large.txt', exact: true }).waitFor();
    expect((await sandbox.files.stat('large.txt')).size).toBe(large.length);
    await page.getByLabel('Files to upload').setInputFiles([{ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('chosen') }]);
    await page.getByRole('link', { name: 'chosen.txt', exact: true }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'chosen.txt' }).inputValue(), PATIENCE).toBe('chosen');
    // Of a large one the beginning is shown.
    await page.getByRole('link', { name: 'large.txt', exact: true }).click();
    await page.getByText('The first 1.0 MB of 8.0 MB.').waitFor();
    expect(troubles.filter((text) => !text.includes('412'))).toEqual([]);
  }));

test('no script of a sandbox runs in a preview', () =>
  inFiles(async ({ page, sandbox, troubles }) => {
    const attack = 'globalThis.attacked = true';
    const text = [
      '# Title & <b>bold</b>',
      `<img src=x onerror="${attack}"> <script>${attack}</script>`,
      `[a link](javascript:${attack}) [another](data:text/html,<script>${attack}</script>) [good](https://example.org/) [beside](other.txt)`,
      '- one\n- two with **strong** and `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```',
    ].join('\n\n');
    await sandbox.files.write('read.md', text);
    await sandbox.files.write('picture.svg', `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="${attack}"><script>${attack}</script><circle r="20"/></svg>`);
    await sandbox.files.write('page.html', `<script>${attack}</script>`);
    await sandbox.files.write('dot.png', DOT);
    await sandbox.files.write('other.txt', 'beside it');
    await sandbox.files.write('bytes.bin', new Uint8Array([0, 1, 2, 255]));
    const show = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();
    await show('read.md');
    await page.getByRole('heading', { name: 'Title & <b>bold</b>' }).waitFor();
    await picture(page, 'files-markdown');
    const links = await page.locator('.markdown a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links).toEqual(['https://example.org/', `#/sandboxes/${sandbox.id}/files/workspace/other.txt`]);
    expect(await page.locator('.markdown').locator('img, script').count()).toBe(0);
    expect(await page.locator('.markdown li').count()).toBe(2);
    await show('dot.png');
    await expect.poll(() => page.getByRole('img', { name: 'dot.png' }).evaluate((one) => (one as HTMLImageElement).naturalWidth), PATIENCE).toBe(1);
    await show('picture.svg');
    await expect.poll(() => page.getByRole('img', { name: 'picture.svg' }).evaluate((one) => (one as HTMLImageElement).naturalWidth), PATIENCE).toBe(40);
    await show('bytes.bin');
    await page.getByText('This is no text.').waitFor();
    await show('page.html');
    await page.getByRole('textbox', { name: 'page.html' }).waitFor();
    expect(await page.evaluate(() => 'attacked' in globalThis)).toBe(false);
    // The file itself, opened as a page of the server, is fetched and not shown.
    const answer = await page.request.get(`${new URL(page.url()).origin}/api/v1/sandboxes/${sandbox.id}/files/content?path=page.html`);
    const headers = answer.headers();
    expect(headers['content-type']).not.toContain('html');
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(headers['x-content-type-options']).toContain('nosniff');
    expect(troubles).toEqual([]);
  }));

test('files can be used on a phone and in the dark', () =>
  inFiles(
    async ({ page, sandbox, troubles }) => {
      await sandbox.files.write('a-rather-long-name-of-a-file-that-somebody-gave.txt', 'text\n');
      await sandbox.files.makeDir('folder');
      await page.getByRole('link', { name: /^a-rather/ }).click();
      await page.getByRole('textbox').waitFor();
      await picture(page, 'phone-dark-files');
      expect(await covered(page)).toEqual([]);
      expect(await page.evaluate(() => document.querySelector('.content')?.scrollWidth)).toBe(390);
      expect(troubles).toEqual([]);
    },
    { colorScheme: 'dark', viewport: { width: 390, height: 780 } },
  ));
