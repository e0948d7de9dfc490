// The search of the guides. Its index is fetched when somebody begins to search.
import { find } from './finding.js';

const words = document.getElementById('words');
const found = document.getElementById('found');
const article = document.querySelector('article');
const menu = document.querySelector('nav details');
let index;

function load() {
  index ??= fetch('/docs/search.json').then((answer) => {
    if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
    return answer.json();
  });
  return index;
}

function entry({ file, anchor, page, heading, excerpt }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `/docs/${file}#${anchor}`;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  link.addEventListener('click', () => show(''));
  const text = document.createElement('p');
  text.textContent = excerpt;
  item.append(link, text);
  return item;
}

function show(asked, results = []) {
  found.hidden = asked === '';
  article.hidden = asked !== '';
  const title = document.createElement('h2');
  title.textContent = results.length === 0 ? `Nothing found for ${asked}.` : `Found for ${asked}`;
  const list = document.createElement('ul');
  list.append(...results.map(entry));
  found.replaceChildren(title, list);
}

async function search() {
  const asked = words.value.trim();
  const results = asked === '' ? [] : find(await load(), asked);
  // A later letter may have overtaken this one.
  if (asked === words.value.trim()) show(asked, results);
}

words.addEventListener('focus', () => void load());
words.addEventListener('input', () => void search());
document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) {
    event.preventDefault();
    words.focus();
  } else if (event.key === 'Escape') {
    words.value = '';
    show('');
  }
});
// A small screen shows the text first.
if (matchMedia('(max-width: 50rem)').matches) menu.open = false;
