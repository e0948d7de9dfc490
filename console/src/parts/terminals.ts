import type { TerminalInfo } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import { client } from '../session.js';
import { attempt, confirm } from './feedback.js';
import { nameOfCaller } from './names.js';
import { repeat, type OnLeave } from './repeat.js';
import { Table } from './table.js';
import { when } from './when.js';

const EVERY = 3_000;

/** The terminals that are open in a sandbox, whoever opened them and wherever. */
export function terminalsPart(id: string, changing: boolean, onLeave: OnLeave): HTMLElement {
  const title = h('h2', {}, 'Terminals');
  const table = new Table<TerminalInfo>(
    [
      { title: 'Program', cell: (row) => h('div', {}, h('code', { title: row.id }, row.command), h('div', { class: 'dim' }, [`${row.cols}×${row.rows}`, row.recorded && 'recorded', row.sealed && 'encrypted'].filter(Boolean).join(' · '))) },
      { title: 'Attached', cell: (row) => row.attached.map(({ who, role }) => `${nameOfCaller(who)}${role === 'driver' ? '' : ` (${role})`}`).join(', ') || h('span', { class: 'dim' }, 'nobody') },
      { title: 'Last activity', cell: (row) => when(row.activeAt), wide: true },
      { title: '', cell: (row) => actions(row) },
    ],
    'No terminal is open.',
  );
  const read = async (): Promise<void> => {
    const { items } = await client.terminals.list({ sandboxId: id });
    title.textContent = items.length === 0 ? 'Terminals' : `Terminals: ${items.length} open`;
    table.show(items, (row) => row.id);
  };
  const end = async (row: TerminalInfo): Promise<void> => {
    if (!(await confirm(`End ${row.command} and what runs in it?`, 'End'))) return;
    await attempt(() => client.terminals.end(row.id), 'Terminal ended.');
    await attempt(read);
  };
  const actions = (row: TerminalInfo): HTMLElement => {
    // What is encrypted can be read by whoever opened it, and a terminal session belongs to its own clients.
    const reachable = !row.sealed && row.id.startsWith('pty-');
    const to = `/sandboxes/${id}/terminal/${row.id}`;
    return h('div', { class: 'row end' }, reachable && link('Watch', `${to}/watch`, 'button'), reachable && changing && link('Attach', to, 'button'), changing && button('End', () => end(row)));
  };
  repeat(EVERY, onLeave, read);
  return h('section', { class: 'card span' }, title, table.element);
}
