import type { Port } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import { client } from '../session.js';
import { attempt } from './feedback.js';
import { repeat, type OnLeave } from './repeat.js';
import { Table } from './table.js';

const EVERY = 3_000;

/** The ports on which programs in a sandbox listen, with links for a browser: to the gateway's origin, never to ours. */
export function portsPart(id: string, changing: boolean, onLeave: OnLeave): HTMLElement {
  const { ports } = client.sandbox.reference(id);
  const open = (port: number): void => {
    // At once, while the click still counts: a browser blocks windows that come later.
    const opened = window.open('', '_blank');
    if (opened !== null) opened.opener = null;
    void attempt(() => ports.link(port)).then((link) => {
      if (link === undefined) opened?.close();
      else if (opened === null) window.open(link.url, '_blank', 'noopener');
      else opened.location.replace(link.url);
    });
  };
  const copy = (port: number): Promise<unknown> =>
    attempt(async () => {
      const { url } = await ports.link(port);
      await navigator.clipboard.writeText(url);
    }, 'Link copied. Whoever has it can use the port for an hour.');
  const named = (text: string, port: number, act: () => unknown): HTMLButtonElement => {
    const made = button(text, act);
    made.setAttribute('aria-label', `${text} of port ${port}`);
    return made;
  };
  const table = new Table<Port>(
    [
      { title: 'Port', cell: (row) => h('strong', {}, String(row.port)) },
      { title: 'Program', cell: (row) => row.program ?? '' },
      { title: '', cell: (row) => h('div', { class: 'row end' }, changing && named('Copy link', row.port, () => copy(row.port)), changing && named('Open', row.port, () => open(row.port))) },
    ],
    'No program listens on a port yet. Start a server in the sandbox to see it here.',
  );
  repeat(EVERY, onLeave, async () => table.show((await ports.list()).items, (row) => String(row.port)));
  return h('section', { class: 'card' }, h('h2', {}, 'Ports'), table.element);
}
