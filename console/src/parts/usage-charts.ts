import { h } from '../dom.js';
import { Chart } from './chart.js';
import { repeat, type OnLeave } from './repeat.js';
import type { Sample, UsageHistory } from './usage-history.js';
import { bytes } from './words.js';

const EVERY = 2_000;
const cores = (value: number): string => `${value.toFixed(2)} CPU`;

/** How fast a count grew between neighbours. */
function rates(samples: readonly Sample[], count: (sample: Sample) => number): number[] {
  return samples.map((sample, index) => {
    const before = samples[index - 1];
    return before === undefined || sample.at <= before.at ? 0 : Math.max(0, (count(sample) - count(before)) / (sample.at - before.at));
  });
}

/** What a sandbox uses and has used since the console was opened. */
export function usageCharts(id: string, usage: UsageHistory, onLeave: OnLeave): HTMLElement {
  const cpu = new Chart('CPU', cores);
  const memory = new Chart('Memory', bytes);
  const disk = new Chart('Disk', bytes);
  const network = new Chart('Network', (value) => `${bytes(value)}/s`, [
    { name: 'in', colour: '--info' },
    { name: 'out', colour: '--warn' },
  ]);
  const charts = [cpu, memory, disk, network];
  const show = (): void => {
    const samples = usage.of(id);
    const last = samples.at(-1)?.stats;
    if (last === undefined) return;
    const times = samples.map(({ at }) => at);
    cpu.show([times, samples.map(({ stats }) => stats.cpu.usage)], `${last.cpu.usage.toFixed(2)} of ${last.cpu.limit} CPU`);
    memory.show([times, samples.map(({ stats }) => stats.memory.usage)], `${bytes(last.memory.usage)} of ${bytes(last.memory.limit)}`);
    disk.show([times, samples.map(({ stats }) => stats.disk.usage)], `${bytes(last.disk.usage)} of ${bytes(last.disk.limit)}`);
    const received = rates(samples, ({ stats }) => stats.network.rxBytes);
    const sent = rates(samples, ({ stats }) => stats.network.txBytes);
    network.show([times, received, sent], `${bytes(received.at(-1) ?? 0)}/s in, ${bytes(sent.at(-1) ?? 0)}/s out`);
  };
  onLeave(usage.listen(show));
  onLeave(() => charts.forEach((chart) => chart.close()));
  repeat(EVERY, onLeave, () => usage.read(id));
  return h('section', { class: 'card', aria: { label: 'Usage' } }, h('h2', {}, 'Usage'), ...charts.map(({ element }) => element), h('p', { class: 'dim' }, 'What was seen here, for an hour at most.'));
}
