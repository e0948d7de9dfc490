import type { AuditRow } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import type { Page } from '../page.js';
import { attempt, toast } from '../parts/feedback.js';
import { nameOfCaller, readKeyNames } from '../parts/names.js';
import { nameOfSandbox } from '../parts/sandbox-head.js';
import { Table } from '../parts/table.js';
import { atLocalTime } from '../parts/when.js';
import { client } from '../session.js';

const SHOWN = 200;

/** Who did what, and whether that record is whole. */
export const auditPage: Page = ({ live, session }) => {
  const search = h('input', { type: 'search', placeholder: 'Filter', title: 'By action, target or actor', aria: { label: 'Filter' } });
  const target = (subject: string): Node => {
    const sandbox = live.sandboxes.get(subject);
    return sandbox === undefined ? h('span', { class: 'id', title: subject }, nameOfCaller(subject)) : link(nameOfSandbox(sandbox), `/sandboxes/${sandbox.id}`);
  };
  let rows: AuditRow[] = [];
  const show = (): void => {
    const words = search.value.toLowerCase();
    const texts = ({ action, detail, subject, actor }: AuditRow): string[] => [action, detail, subject, actor, nameOfCaller(actor), nameOfCaller(subject), live.sandboxes.get(subject)?.name ?? ''];
    table.show(rows.filter((row) => texts(row).some((text) => text.toLowerCase().includes(words))), (row) => String(row.sequence));
  };
  search.addEventListener('input', show);
  const table = new Table<AuditRow>(
    [
      { title: '#', cell: (row) => String(row.sequence), wide: true },
      { title: 'Time', cell: (row) => atLocalTime(row.at) },
      { title: 'Action', cell: (row) => h('div', {}, row.action, h('div', { class: 'dim' }, row.detail)) },
      { title: 'Target', cell: (row) => target(row.subject) },
      { title: 'Actor', cell: (row) => h('span', { title: row.actor }, nameOfCaller(row.actor)) },
    ],
    'No entries.',
  );
  const verify = async (): Promise<void> => {
    const verdict = await attempt(() => client.audit.verify());
    if (verdict === undefined) return;
    toast(verdict.intact ? 'The audit is intact.' : `The audit is broken at row ${verdict.firstBroken}.`, verdict.intact ? 'good' : 'bad');
  };
  void attempt(async () => {
    const [page] = await Promise.all([client.audit.list({ limit: SHOWN }), readKeyNames(session)]);
    rows = page.items;
    show();
  });
  return h('main', {}, h('div', { class: 'row' }, h('h1', {}, 'Audit'), h('span', { class: 'grow' }), search, button('Verify', verify)), table.element);
};
