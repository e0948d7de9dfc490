// What stands around every page.
import { GROUPS, fileOf } from './pages.mjs';
import { escaped } from './render.mjs';

function menu(current) {
  const link = ([source, name]) => {
    const file = fileOf(source);
    return `<li><a href="/docs/${file}"${file === current ? ' aria-current="page"' : ''}>${escaped(name)}</a></li>`;
  };
  return GROUPS.map(({ title, pages }) => `<h2>${title}</h2>\n<ul>\n${pages.map(link).join('\n')}\n</ul>`).join('\n');
}

export function frame(file, title, html) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} – Bivouac</title>
<link rel="stylesheet" href="/docs/guides.css">
<link rel="icon" href="/favicon.svg">
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="/docs">Bivouac</a>
<form role="search" id="search">
<label for="words">Search</label>
<input id="words" type="search" autocomplete="off" placeholder="press /">
</form>
<a href="/docs/reference">API reference</a>
<a href="/">Console</a>
</header>
<div class="columns">
<nav aria-label="Guides">
<details open>
<summary>Guides</summary>
${menu(file)}
</details>
</nav>
<main id="content">
<section id="found" aria-live="polite" hidden></section>
<article>
${html}</article>
</main>
</div>
<script type="module" src="/docs/guides.js"></script>
</body>
</html>
`;
}

/** The first page: what there is. */
export function contents(titles) {
  const entry = ([source, name]) => `<li><a href="/docs/${fileOf(source)}">${escaped(name)}</a> <span>${escaped(titles.get(source) ?? '')}</span></li>`;
  const groups = GROUPS.map(({ title, pages }) => `<section>\n<h2>${title}</h2>\n<ul>\n${pages.map(entry).join('\n')}\n</ul>\n</section>`);
  return `<h1>Guides</h1>
<p>Self-hosted sandboxes for AI agents. Begin with the <a href="/docs/quickstart.html">quick start</a>; every call of the API is in its <a href="/docs/reference">reference</a>.</p>
<div class="contents">
${groups.join('\n')}
</div>
`;
}
