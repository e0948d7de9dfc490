import type { Check, SystemStats } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import type { Page } from '../page.js';
import { facts } from '../parts/facts.js';
import { attempt, toast } from '../parts/feedback.js';
import { projectUsage } from '../parts/project-usage.js';
import { repeat } from '../parts/repeat.js';
import { bytes, relative } from '../parts/words.js';
import { client } from '../session.js';

const EVERY = 3_000;
const CHECK_EVERY = 60_000;

/** The installation as a whole. */
export const systemPage: Page = ({ onLeave }) => {
  const shown = h('dl', { class: 'facts card' });
  repeat(EVERY, onLeave, async () => {
    const [stats, ready] = await Promise.all([client.system.stats(), isReady()]);
    shown.replaceChildren(...facts([['Ready', ready], ...rowsOf(stats)]));
  });
  const checks = h('ul', { class: 'checks' });
  repeat(CHECK_EVERY, onLeave, async () => {
    const checkup = await client.system.doctor();
    checks.replaceChildren(...checkup.checks.map(checked));
  });
  const collect = async (): Promise<void> => {
    const done = await attempt(() => client.system.gc());
    if (done !== undefined) toast(`Cleaned up: ${done.expired} expired, ${done.orphansRemoved} without a row, ${done.rowsForgotten} old rows.`);
  };
  return h('main', {}, h('div', { class: 'row' }, h('h1', {}, 'System'), h('span', { class: 'grow' }), button('Clean up now', collect)), shown, projectUsage(onLeave), h('h2', {}, 'Checks'), checks);
};

function checked({ name, ok, seen, costs, remedy }: Check): HTMLElement {
  return h(
    'li',
    { class: ok ? 'check fine' : 'check wrong' },
    h('strong', {}, `${ok ? '✓' : '✗'} ${name}`),
    h('span', {}, ` ${seen}`),
    ...(costs === undefined ? [] : [h('p', {}, `Costs: ${costs}`)]),
    ...(remedy === undefined ? [] : [h('pre', {}, remedy)]),
  );
}

async function isReady(): Promise<string> {
  const answer = await fetch('/ready');
  return answer.ok ? 'yes' : `no (${answer.status})`;
}

function rowsOf({ host, installation, runtime, sandboxes, outbox, disk, server }: SystemStats): Array<[string, string | undefined]> {
  const limits = [
    ['memory', runtime.memoryLimit],
    ['processes', runtime.pidsLimit],
    ['CPU', runtime.cpuLimit],
    ['disk', runtime.diskLimit],
  ] as const;
  return [
    ['Host', host],
    ['Installation', installation],
    ['Runtime', runtime.name],
    ['Enforced limits', limits.filter(([, holds]) => holds).map(([name]) => name).join(', ') || 'none'],
    ['Sandboxes', Object.entries(sandboxes).map(([state, count]) => `${count} ${state}`).join(', ') || 'none'],
    ['Event backlog', outbox.unpublished === 0 ? 'none' : `${outbox.unpublished}, for ${outbox.lagSeconds.toFixed(1)} s`],
    ['Disk', disk.totalBytes === 0 ? undefined : `${bytes(disk.freeBytes)} free of ${bytes(disk.totalBytes)}, ${bytes(disk.reservedBytes)} reserved${disk.reserveReached ? ': nothing new is stored' : ''}`],
    ['Started', relative(new Date(Date.now() - server.uptimeSeconds * 1000).toISOString())],
    ['Heap', bytes(server.heapBytes)],
    ['Processors', String(server.processors)],
    ['Notes', runtime.notes.join(' ') || undefined],
  ];
}
