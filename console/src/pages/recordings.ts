import type { RecordingInfo } from '@bivouac/sdk';
import { h, link } from '../dom.js';
import type { Page } from '../page.js';
import { attempt } from '../parts/feedback.js';
import { Table } from '../parts/table.js';
import { when } from '../parts/when.js';
import { bytes, span } from '../parts/words.js';
import { client } from '../session.js';

/** Terminals whose output was kept. */
export const recordingsPage: Page = ({ live }) => {
  const search = h('input', { type: 'search', placeholder: 'Filter by id, command', aria: { label: 'Filter' } });
  const table = new Table<RecordingInfo>(
    [
      { title: 'Recording', cell: (row) => h('div', {}, link(row.command, `/recordings/${row.terminalId}`), h('div', { class: 'dim mono' }, row.terminalId)) },
      { title: 'Sandbox', cell: (row) => sandboxOf(row), wide: true },
      { title: 'Started', cell: (row) => when(row.startedAt) },
      { title: 'Duration', cell: (row) => (row.endedAt === undefined ? 'recording' : span(row.startedAt, row.endedAt)), wide: true },
      { title: 'Size', cell: (row) => bytes(row.size), wide: true },
      { title: '', cell: (row) => h('div', { class: 'row end' }, h('a', { class: 'button', href: `/api/v1/recordings/${row.terminalId}`, download: `${row.terminalId}.cast` }, 'Download')) },
    ],
    'No recordings yet. Open a terminal with ● Record to keep one.',
  );
  const sandboxOf = (row: RecordingInfo): Node => {
    const sandbox = live.sandboxes.get(row.sandboxId);
    return sandbox === undefined ? h('span', { class: 'dim mono' }, row.sandboxId) : link(sandbox.name ?? sandbox.id, `/sandboxes/${sandbox.id}`);
  };
  let found: RecordingInfo[] = [];
  const show = (): void => {
    const words = search.value.toLowerCase();
    table.show(found.filter((row) => [row.terminalId, row.sandboxId, row.command].some((text) => text.toLowerCase().includes(words))), (row) => row.terminalId);
  };
  const read = async (): Promise<void> => {
    found = (await client.recordings.list({ limit: 500 })).items;
    show();
  };
  search.addEventListener('input', show);
  void attempt(read);
  return h('main', {}, h('div', { class: 'row' }, h('h1', {}, 'Recordings'), h('span', { class: 'grow' }), search), table.element);
};
