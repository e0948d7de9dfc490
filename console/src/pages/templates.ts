import type { Template } from '@bivouac/sdk';
import { h } from '../dom.js';
import type { Page } from '../page.js';
import { attempt } from '../parts/feedback.js';
import { Table } from '../parts/table.js';
import { client } from '../session.js';

/** What sandboxes can be made from. */
export const templatesPage: Page = () => {
  const table = new Table<Template>(
    [
      { title: 'Template', cell: (row) => h('strong', {}, row.name) },
      { title: 'Description', cell: (row) => h('div', {}, row.description, ...row.notes.map((note) => h('div', { class: 'dim' }, note))) },
      { title: 'Built', cell: (row) => (row.built === null ? '' : `${Math.round(row.built.sizeBytes / 2 ** 20)} MB`), wide: true },
      { title: 'State', cell: (row) => h('span', { class: row.available ? 'state running' : 'state' }, row.available ? 'Available' : 'Not on this machine') },
      { title: 'Ports', cell: (row) => row.ports.join(', '), wide: true },
      { title: 'Limits', cell: (row) => `${row.cpu} ${row.cpu === 1 ? 'core' : 'cores'}, ${row.memory}, ${row.disk}`, wide: true },
    ],
    'There are no templates.',
  );
  void attempt(() => client.templates.list()).then((templates) => table.show(templates ?? [], (row) => row.name));
  return h('main', {}, h('h1', {}, 'Templates'), table.element);
};
