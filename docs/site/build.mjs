// Makes the guides that the server shows at /docs: a page for each Markdown page, and an index for their search.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contents, frame } from './frame.mjs';
import { fileOf, GROUPS } from './pages.mjs';
import { render } from './render.mjs';

const root = join(import.meta.dirname, '../..');
const target = join(import.meta.dirname, 'dist');
const sources = GROUPS.flatMap(({ pages }) => pages.map(([source]) => source));
const pageOf = (source) => (source === 'docs/README.md' ? 'index.html' : sources.includes(source) ? fileOf(source) : undefined);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const index = [];
const titles = new Map();
const anchors = new Map([['index.html', new Set()]]);
const links = [];
for (const source of sources) {
  const page = render(source, readFileSync(join(root, source), 'utf8'), pageOf);
  const file = fileOf(source);
  titles.set(source, page.title);
  anchors.set(file, new Set(page.sections.map(({ anchor }) => anchor)));
  links.push(...page.links.map((link) => ({ from: source, ...link })));
  for (const { heading, anchor, text } of page.sections) index.push({ file, page: page.title, heading, anchor, text });
  writeFileSync(join(target, file), frame(file, page.title, page.html));
}
const broken = links.filter(({ file, anchor }) => anchor !== '' && !anchors.get(file)?.has(anchor));
for (const { from, file, anchor } of broken) console.error(`${from}: there is no heading for #${anchor} in ${file}`);

const described = new Map(GROUPS.flatMap(({ pages }) => pages.map(([source, name]) => [source, titles.get(source) === name ? '' : (titles.get(source) ?? '')])));
writeFileSync(join(target, 'index.html'), frame('index.html', 'Guides', contents(described)));
writeFileSync(join(target, 'search.json'), JSON.stringify(index));
for (const file of ['guides.css', 'guides.js', 'finding.js']) copyFileSync(join(import.meta.dirname, file), join(target, file));
if (broken.length > 0) process.exitCode = 1;
