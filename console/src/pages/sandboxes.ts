import type { SandboxInfo } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { createDialog } from '../parts/create-dialog.js';
import { expires, isAlive } from '../parts/expiry.js';
import { projectUsage } from '../parts/project-usage.js';
import { deleteSandbox, stateMark } from '../parts/sandbox-head.js';
import { Table } from '../parts/table.js';

/** All sandboxes, as they are this moment. */
export const sandboxesPage: Page = ({ live, session, onLeave }) => {
  const changing = mayChange(session);
  const search = h('input', { type: 'search', placeholder: 'Filter', title: 'By id, name, template, state or label', aria: { label: 'Filter' } });
  const count = h('span', { class: 'dim' });
  const table = new Table<SandboxInfo>(
    [
      { title: 'Sandbox', cell: (row) => h('div', {}, link(row.name ?? row.id, `/sandboxes/${row.id}`), row.name === row.id ? undefined : h('div', { class: 'dim mono' }, row.id)) },
      { title: 'State', cell: (row) => h('div', {}, stateMark(row), row.stateReason === undefined ? undefined : h('div', { class: 'dim' }, row.stateReason)) },
      { title: 'Template', cell: (row) => row.template, wide: true },
      { title: 'Labels', cell: (row) => h('div', { class: 'labels' }, ...Object.entries(row.labels).map(([key, value]) => h('span', { class: 'label' }, `${key}=${value}`))), wide: true },
      { title: 'Expires', cell: (row) => (isAlive(row) ? expires(row.expiresAt) : ''), wide: true },
      { title: '', cell: (row) => actions(row, changing) },
    ],
    'No sandboxes yet. Create one with New sandbox.',
  );
  const show = (): void => {
    const words = search.value.toLowerCase();
    const fits = (row: SandboxInfo): boolean =>
      [row.id, row.name ?? '', row.template, row.state, ...Object.entries(row.labels).map((pair) => pair.join('='))].some((text) => text.toLowerCase().includes(words));
    const rows = [...live.sandboxes.values()].filter(fits).sort((a, b) => (a.id < b.id ? 1 : -1));
    count.textContent = `${rows.length} of ${live.sandboxes.size}`;
    table.show(rows, (row) => row.id);
  };
  search.addEventListener('input', show);
  onLeave(live.listen(show));
  show();
  const make = changing && button('New sandbox', () => createDialog(), 'primary');
  return h('main', { class: 'wide-page' }, h('div', { class: 'row' }, h('h1', {}, 'Sandboxes'), count, h('span', { class: 'grow' }), search, make), table.element, projectUsage(onLeave));
};

function actions(row: SandboxInfo, changing: boolean): HTMLElement {
  const group = h('div', { class: 'row end actions' });
  if (!changing) return group;
  if (row.state === 'running') group.append(link('Terminal', `/sandboxes/${row.id}/terminal`, 'button'));
  group.append(button('Delete', () => deleteSandbox(row)));
  return group;
}
