import type { BivouacEvent } from '@bivouac/sdk';
import { h } from '../dom.js';
import type { Live } from '../live.js';
import { client } from '../session.js';
import { Chart } from './chart.js';
import { repeat, type OnLeave } from './repeat.js';
import { Table } from './table.js';
import { atLocalTime } from './when.js';
import { atTime, bytes } from './words.js';

const STATS_EVERY = 2_000;
const LOGS_EVERY = 3_000;

export function chartsPart(id: string, onLeave: OnLeave): HTMLElement {
  const cpu = new Chart('CPU', (value) => `${value.toFixed(2)} cores`);
  const memory = new Chart('Memory', bytes);
  const disk = new Chart('Disk', bytes);
  repeat(STATS_EVERY, onLeave, async () => {
    const stats = await client.sandbox.stats(id);
    cpu.add(stats.cpu.usage, stats.cpu.limit);
    memory.add(stats.memory.usage, stats.memory.limit);
    disk.add(stats.disk.usage, stats.disk.limit);
  });
  return h('section', { class: 'card' }, h('h2', {}, 'Usage'), cpu.element, memory.element, disk.element);
}

export function logsPart(id: string, onLeave: OnLeave): HTMLElement {
  const lines = h('pre', { class: 'log', tabIndex: 0, role: 'region', aria: { label: 'Log' } });
  repeat(LOGS_EVERY, onLeave, async () => {
    const log = await client.sandbox.logs(id, { tail: 200 });
    const text = log.lines.map((line) => `${atTime(line.time)} ${line.stream.padEnd(6)} ${line.text}`).join('\n');
    if (lines.textContent === text) return;
    const atEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 4;
    lines.textContent = text || 'Nothing was logged.';
    // Who has scrolled back to read something stays there.
    if (atEnd) lines.scrollTop = lines.scrollHeight;
  });
  return h('section', { class: 'card' }, h('h2', {}, 'Log'), lines);
}

export function historyPart(id: string, live: Live, onLeave: OnLeave): HTMLElement {
  const seen = new Map<string, BivouacEvent>();
  const table = new Table<BivouacEvent>(
    [
      { title: 'Event', cell: (event) => event.type },
      { title: 'When', cell: (event) => atLocalTime(event.timestamp) },
    ],
    'Nothing yet.',
  );
  const show = (): void => table.show([...seen.values()].sort((a, b) => b.sequence - a.sequence), (event) => event.id);
  const read = async (): Promise<void> => {
    for await (const event of client.sandbox.history(id, { limit: 200 })) seen.set(event.id, event);
    show();
  };
  onLeave(
    live.listen((event) => {
      if (event?.subject !== id) return;
      seen.set(event.id, event);
      show();
    }),
  );
  void read().catch(() => undefined);
  return h('section', { class: 'card' }, h('h2', {}, 'History'), table.element);
}
