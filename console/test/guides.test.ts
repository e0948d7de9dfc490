import { expect, test } from 'vitest';
import { violations } from './barriers.js';
import { open, proxy } from './browser.js';

/** The guides' own links in a page, with their anchors. */
function linksOf(html: string): string[] {
  return [...html.matchAll(/href="(\/[^"]*)"/g)].map(([, href = '']) => href);
}

test('every link of every guide leads to something', async () => {
  const pages = new Map<string, string>();
  const wanted = new Set(['/docs']);
  for (const link of wanted) {
    const [path = ''] = link.split('#');
    if (pages.has(path)) continue;
    const answer = await fetch(proxy.url + path);
    expect(answer.status, link).toBe(200);
    const html = answer.headers.get('content-type')?.startsWith('text/html') === true ? await answer.text() : '';
    pages.set(path, html);
    // The console and the reference have tests of their own.
    if (path.startsWith('/docs') && path !== '/docs/reference') linksOf(html).forEach((href) => wanted.add(href));
  }
  expect(pages.size).toBeGreaterThan(30);
  for (const link of wanted) {
    const [path = '', anchor] = link.split('#');
    if (anchor !== undefined && anchor !== '') expect(pages.get(path), link).toContain(`id="${anchor}"`);
  }
});

test('a search finds the section, and Enter leads there', async () => {
  const { page, troubles } = await open();
  await page.goto(`${proxy.url}/docs`);
  await page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('zzzz');
  await page.getByText('Nothing found for zzzz.').waitFor();
  await page.getByLabel('Search').fill('kept workspace');
  await page.getByText('Found for kept workspace').waitFor();
  expect(await page.locator('#found li').count()).toBeGreaterThan(0);
  await page.getByLabel('Search').press('Enter');
  await page.waitForURL(/\/docs\/.+\.html#.+/);
  await page.locator('article').waitFor();
  await page.goto(`${proxy.url}/docs/reference`);
  await page.getByText('/api/v1/sandboxes', { exact: true }).first().waitFor();
  expect(troubles).toEqual([]);
  await page.close();
});

test.each(['light', 'dark'] as const)('no guide has a serious barrier, %s', async (colorScheme) => {
  const { page } = await open({ colorScheme });
  const found: Record<string, string[]> = {};
  for (const path of ['/docs', '/docs/coding-agents.html', '/docs/api.html', '/docs/cli.html']) {
    await page.goto(proxy.url + path);
    found[path] = await violations(page);
  }
  expect(Object.values(found).flat(), JSON.stringify(found, undefined, 2)).toEqual([]);
  await page.close();
});
