import { h } from '../dom.js';
import { addressOf } from './paths.js';
import type { Resolve } from './markdown.js';

const OUTSIDE = new Set(['http:', 'https:', 'mailto:']);
const HERE = 'file:';

/** Links of a text in a sandbox: to other sites, to another file of the sandbox, and nothing else. */
export function linksFrom(sandbox: string, folder: string): Resolve {
  return (target) => {
    if (!URL.canParse(target, `${HERE}//${encodeURI(folder)}/`)) return undefined;
    const url = new URL(target, `${HERE}//${encodeURI(folder)}/`);
    if (OUTSIDE.has(url.protocol)) return h('a', { href: url.href, target: '_blank', rel: 'noopener noreferrer' });
    if (url.protocol !== HERE || url.host !== '' || target.startsWith('#')) return undefined;
    try {
      return h('a', { href: `#${addressOf(sandbox, decodeURIComponent(url.pathname))}` });
    } catch {
      // A stray %: no address of a file.
      return undefined;
    }
  };
}
