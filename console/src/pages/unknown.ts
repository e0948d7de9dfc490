import { h, link } from '../dom.js';
import type { Page } from '../page.js';

/** There is no such page. */
export const unknownPage: Page = () => h('main', {}, h('h1', {}, 'Page not found'), h('p', {}, `The console has no page ${location.hash}.`), link('← Sandboxes', '/sandboxes'));
