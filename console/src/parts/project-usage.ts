import type { Project } from '@bivouac/sdk';
import { h } from '../dom.js';
import { client } from '../session.js';
import { repeat, type OnLeave } from './repeat.js';

const EVERY = 5_000;
const UNITS = 'kmgt';

/** A size as the server writes it, such as `512m`, in bytes. */
export function sizeIn(text: string): number {
  const unit = UNITS.indexOf(text.slice(-1));
  return unit < 0 ? Number(text) : Number(text.slice(0, -1)) * 1024 ** (unit + 1);
}

/** What the caller's project uses of what it may have, as bars. */
export function projectUsage(onLeave: OnLeave): HTMLElement {
  const title = h('h2', {}, 'Usage');
  const bars = h('dl', { class: 'facts' });
  const card = h('section', { class: 'card', aria: { label: 'Usage of the project' } }, title, bars);
  card.hidden = true;
  repeat(EVERY, onLeave, async () => {
    const project = await client.projects.get();
    title.textContent = `Usage of ${project.name}`;
    bars.replaceChildren(...barsOf(project));
    card.hidden = false;
  });
  return card;
}

function barsOf({ limits, usage }: Project): HTMLElement[] {
  const sized = (limit: string | null): number | null => (limit === null ? null : sizeIn(limit));
  return [
    bar('Sandboxes', usage.sandboxes, limits.sandboxes),
    bar('Terminals', usage.terminals, limits.terminals),
    bar('Event streams', usage.eventStreams, limits.eventStreams),
    bar('CPU cores', usage.cpu, limits.cpu),
    bar('Memory', sizeIn(usage.memory), sized(limits.memory), [usage.memory, limits.memory]),
    bar('Disk', sizeIn(usage.disk), sized(limits.disk), [usage.disk, limits.disk]),
  ];
}

/** A limit of `null` has no bar. */
function bar(name: string, used: number, limit: number | null, shown: [number | string, number | string | null] = [used, limit]): HTMLElement {
  const words = limit === null ? `${shown[0]}, no limit` : `${shown[0]} of ${shown[1]}`;
  const meter = h('meter', { aria: { label: `${name}: ${words}` } });
  meter.max = limit === null || limit === 0 ? 1 : limit;
  meter.high = meter.max * 0.9;
  meter.value = limit === 0 ? 1 : used;
  return h('div', {}, h('dt', {}, name), h('dd', {}, words, limit === null ? undefined : meter));
}
