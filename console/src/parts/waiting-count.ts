import type { Live } from '../live.js';
import { client } from '../session.js';

/** How many permission requests wait for an answer, beside the page's name in the menu and before the title of the document. */
export function waitingCount(live: Live, badge: HTMLElement): void {
  let open = 0;
  const title = new MutationObserver(() => entitle());
  const entitle = (): void => {
    const bare = document.title.replace(/^\(\d+\) /, '');
    const wanted = open === 0 ? bare : `(${open}) ${bare}`;
    if (document.title !== wanted) document.title = wanted;
  };
  const read = async (): Promise<void> => {
    open = (await client.permissions.list({ state: 'open', limit: 100 })).items.length;
    badge.textContent = open === 0 ? '' : String(open);
    badge.title = open === 0 ? '' : `${open} permission requests wait`;
    entitle();
  };
  // Whatever page sets the title: the count stays before it.
  const element = document.querySelector('title');
  if (element !== null) title.observe(element, { childList: true });
  live.listen((event) => {
    if (event === undefined ? live.line === 'live' : event.type.startsWith('permission.')) void read().catch(() => undefined);
  });
}
