import { h } from '../dom.js';

/** Deeper than this, text is only text. */
const DEEPEST = 8;

const FENCE = /^ {0,3}(```+|~~~+)\s*(\S*)/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}([-*_])( *\1){2,} *$/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** One alternative for each kind of text within a line, in the order of their groups below. */
const INLINE = /(`+)([^`]+?)\1(?!`)|!\[([^\]\n]{0,500})\]\(([^)\s]{1,2000})[^)\n]{0,200}\)|\[([^\]\n]{1,500})\]\(([^)\s]{1,2000})[^)\n]{0,200}\)|\*\*([^*\n]{1,2000})\*\*|__([^_\n]{1,2000})__|\*([^*\s][^*\n]{0,2000})\*|\b_([^_\s][^_\n]{0,2000})_\b|~~([^~\n]{1,2000})~~|(https?:\/\/[^\s<>()"']{1,2000})/g;

/** Where a link of the text leads; undefined: nowhere. */
export type Resolve = (target: string) => HTMLAnchorElement | undefined;

/**
 * Markdown as elements. HTML in it is shown as the text that it is: nothing that a sandbox wrote becomes markup here,
 * and no picture is fetched.
 */
export function markdown(text: string, resolve: Resolve): HTMLElement {
  return h('div', { class: 'markdown' }, ...blocks(text.split('\n'), resolve, 0));
}

function blocks(lines: string[], resolve: Resolve, depth: number): HTMLElement[] {
  const made: HTMLElement[] = [];
  if (depth > DEEPEST) return [h('p', {}, lines.join('\n'))];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const next = (): string | undefined => lines[at];
    const take = (fits: (line: string) => boolean): string[] => {
      const taken: string[] = [];
      for (let one = next(); one !== undefined && fits(one); one = next()) {
        taken.push(one);
        at++;
      }
      return taken;
    };
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === '') at++;
    else if (fence !== null) {
      at++;
      const code = take((one) => !one.trimStart().startsWith(fence[1] ?? '```'));
      at++;
      made.push(h('pre', { tabIndex: 0 }, h('code', {}, code.join('\n'))));
    } else if (heading !== null) {
      at++;
      // The page has its own first heading.
      const level = Math.min(6, (heading[1] ?? '').length + 1) as 2 | 3 | 4 | 5 | 6;
      made.push(h(`h${level}`, {}, ...inline(heading[2] ?? '', resolve)));
    } else if (RULE.test(line)) {
      at++;
      made.push(h('hr'));
    } else if (line.startsWith('>')) {
      made.push(h('blockquote', {}, ...blocks(take((one) => one.startsWith('>')).map((one) => one.replace(/^> ?/, '')), resolve, depth + 1)));
    } else if (ITEM.test(line)) {
      made.push(list(take((one) => ITEM.test(one) || (one.startsWith(' ') && one.trim() !== '')), resolve, depth));
    } else if (line.includes('|') && TABLE_RULE.test(lines[at + 1] ?? '')) {
      made.push(table(take((one) => one.includes('|')), resolve));
    } else {
      const words = take((one) => one.trim() !== '' && !HEADING.test(one) && !FENCE.test(one) && !ITEM.test(one) && !one.startsWith('>'));
      made.push(h('p', {}, ...inline(words.join('\n'), resolve)));
    }
  }
  return made;
}

function list(lines: string[], resolve: Resolve, depth: number): HTMLElement {
  const first = ITEM.exec(lines[0] ?? '');
  const margin = first?.[1]?.length ?? 0;
  const items: string[][] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item !== null && (item[1] ?? '').length <= margin) items.push([item[3] ?? '']);
    else items.at(-1)?.push(line.slice(Math.min(margin + 2, line.length - line.trimStart().length)));
  }
  const made = items.map(([head = '', ...rest]) => h('li', {}, ...inline(head, resolve), ...blocks(rest, resolve, depth + 1)));
  return /\d/.test(first?.[2] ?? '') ? h('ol', {}, ...made) : h('ul', {}, ...made);
}

function table(lines: string[], resolve: Resolve): HTMLElement {
  const cells = (line: string): string[] => line.trim().replace(/^\||\|$/g, '').split('|').map((one) => one.trim());
  const [head = '', , ...rows] = lines;
  return h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...cells(head).map((one) => h('th', {}, ...inline(one, resolve))))),
    h('tbody', {}, ...rows.map((row) => h('tr', {}, ...cells(row).map((one) => h('td', {}, ...inline(one, resolve)))))),
  );
}

function inline(text: string, resolve: Resolve, depth = 0): Array<Node | string> {
  if (depth > DEEPEST) return [text];
  const made: Array<Node | string> = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    const [all, , code, alt, source, words, target, strong, strong2, soft, soft2, gone, address] = found;
    made.push(text.slice(end, found.index));
    end = found.index + all.length;
    const inner = (part: string): Array<Node | string> => inline(part, resolve, depth + 1);
    if (code !== undefined) made.push(h('code', {}, code));
    else if (source !== undefined) made.push(leads(resolve(source), [alt === undefined || alt === '' ? source : alt]));
    else if (words !== undefined && target !== undefined) made.push(leads(resolve(target), inner(words)));
    else if (strong ?? strong2) made.push(h('strong', {}, ...inner(strong ?? strong2 ?? '')));
    else if (soft ?? soft2) made.push(h('em', {}, ...inner(soft ?? soft2 ?? '')));
    else if (gone !== undefined) made.push(h('del', {}, ...inner(gone)));
    else if (address !== undefined) made.push(leads(resolve(address), [address]));
  }
  made.push(text.slice(end));
  return made;
}

function leads(link: HTMLAnchorElement | undefined, words: Array<Node | string>): Node {
  const made = link ?? h('span');
  made.append(...words);
  return made;
}
