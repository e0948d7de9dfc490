import type { AuditRow } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import type { Page } from '../page.js';
import { attempt, toast } from '../parts/feedback.js';
import { Table } from '../parts/table.js';
import { client } from '../session.js';

const SHOWN = 200;

/** Who did what, and whether that record is whole. */
export const auditPage: Page = () => {
  const table = new Table<AuditRow>(
    [
      { title: '#', cell: (row) => String(row.sequence), wide: true },
      { title: 'When', cell: (row) => h('time', { dateTime: row.at }, row.at.replace('T', ' ').slice(0, 19)), wide: true },
      { title: 'What', cell: (row) => h('div', {}, row.action, h('div', { class: 'dim' }, row.detail)) },
      { title: 'To what', cell: (row) => h('span', { class: 'mono' }, row.subject) },
      { title: 'Who', cell: (row) => h('span', { class: 'mono' }, row.actor), wide: true },
    ],
    'Nothing was done yet.',
  );
  const verify = async (): Promise<void> => {
    const verdict = await attempt(() => client.audit.verify());
    if (verdict === undefined) return;
    toast(verdict.intact ? 'The audit is intact.' : `The audit is broken at row ${verdict.firstBroken}.`, verdict.intact ? 'good' : 'bad');
  };
  void attempt(() => client.audit.list({ limit: SHOWN }).then((page) => table.show(page.items, (row) => String(row.sequence))));
  return h('main', {}, h('div', { class: 'row' }, h('h1', {}, 'Audit'), h('span', { class: 'grow' }), button('Verify', verify)), table.element);
};
