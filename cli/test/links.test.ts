import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const SKIPPED = new Set(['node_modules', 'target', 'dist', '.git']);

/** All Markdown pages of the repository. */
function pages(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : pages(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The names by which a page's headings are reached: lower case, blanks as dashes, no other signs. */
function anchors(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, words = '']) => words.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-'));
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor = ''] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(target)) return true;
  return anchor !== '' && target.endsWith('.md') && !anchors(target).includes(anchor);
}

test('links between the pages lead somewhere', () => {
  const broken = pages().flatMap((page) => {
    const text = readFileSync(page, 'utf8').replaceAll(/^```[^]*?^```/gm, '');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^\w+:/.test(link));
    return links.filter((link) => isBroken(page, link)).map((link) => `${relative(root, page)}: ${link}`);
  });
  expect(broken).toEqual([]);
});

test('the list of decisions has every page, with its title, area and status', () => {
  const folder = join(root, 'docs/decisions');
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  const missing = readdirSync(folder).filter((name) => {
    if (name === 'README.md') return false;
    const [, number, title, area, status] = /^# (\d{4})\. (.*)\n\nArea: (.*) · Status: (.*)\n/.exec(readFileSync(join(folder, name), 'utf8')) ?? [];
    return number === undefined || !list.includes(`| [${number}](${name}) | ${area} | ${title} | ${status} |`);
  });
  expect(missing).toEqual([]);
});
