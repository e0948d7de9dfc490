// A Markdown page as HTML, and what a search finds in it.
import { dirname, join } from 'node:path';
import { Marked } from 'marked';

const LETTERS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text) => text.replace(/[&<>"]/g, (letter) => LETTERS[letter]);

/** As the anchors of hosting sites are made, so that the same links work there. */
function slugs() {
  const taken = new Map();
  return (text) => {
    const slug = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const count = taken.get(slug) ?? 0;
    taken.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

function wordsOf(tokens) {
  return (tokens ?? [])
    .map((token) => {
      if (token.type === 'table') return [token.header, ...token.rows].flat().map((cell) => wordsOf(cell.tokens)).join(' ');
      if (token.type === 'list') return token.items.map((item) => wordsOf(item.tokens)).join(' ');
      if (token.type === 'html') return '';
      return token.tokens === undefined ? (token.text ?? '') : wordsOf(token.tokens);
    })
    .join('');
}

/**
 * @param pageOf the shown file of a source, undefined when it is not shown
 * @returns `{title, html, sections: [{heading, anchor, text}], links: [{file, anchor}]}`
 */
export function render(source, markdown, pageOf) {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(markdown);
  const anchor = slugs();
  const sections = [];
  const links = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      token.anchor = anchor(wordsOf(token.tokens));
      sections.push({ heading: wordsOf(token.tokens), anchor: token.anchor, text: '' });
    } else if (sections.length > 0) {
      const section = sections[sections.length - 1];
      section.text = `${section.text} ${wordsOf([token])}`.replace(/\s+/g, ' ').trim();
    }
  }
  marked.use({
    renderer: {
      heading({ tokens: inner, depth, anchor: id }) {
        return `<h${depth} id="${id}">${this.parser.parseInline(inner)}</h${depth}>\n`;
      },
      link({ href, tokens: inner }) {
        const text = this.parser.parseInline(inner);
        if (/^https?:/.test(href)) return `<a href="${escaped(href)}" rel="noreferrer">${text}</a>`;
        const [path, to = ''] = href.split('#');
        const file = path === '' ? pageOf(source) : pageOf(join(dirname(source), path));
        if (file === undefined) return text;
        links.push({ file, anchor: to });
        return `<a href="/docs/${file}${to === '' ? '' : `#${to}`}">${text}</a>`;
      },
      // Pictures are the project's own page's; here they would only be slow.
      image: ({ text }) => escaped(text),
      code: ({ text, lang }) => `<pre tabindex="0"${lang ? ` data-language="${escaped(lang)}"` : ''}><code>${escaped(text)}</code></pre>\n`,
      table(token) {
        return `<div class="wide" tabindex="0">${tableOf(this, token)}</div>\n`;
      },
    },
  });
  const html = marked.parser(tokens);
  return { title: sections[0]?.heading ?? source, html, sections, links };
}

/** The first row of some tables is empty: they have no head. */
function tableOf({ parser }, { header, rows }) {
  const cells = (row, tag) => `<tr>${row.map(({ tokens }) => `<${tag}>${parser.parseInline(tokens)}</${tag}>`).join('')}</tr>\n`;
  const named = header.some(({ text }) => text !== '');
  return `<table>\n${named ? `<thead>${cells(header, 'th')}</thead>\n` : ''}<tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody>\n</table>`;
}
