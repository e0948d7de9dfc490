import { h } from '../dom.js';
import { client } from '../session.js';
import { repeat, type OnLeave } from './repeat.js';
import { atTime } from './words.js';

const EVERY = 3_000;

/** What the sandbox's agent logged, for whoever looks for the reason of a failure. */
export function logsPart(id: string, onLeave: OnLeave): HTMLElement {
  const lines = h('pre', { class: 'log', tabIndex: 0, role: 'region', aria: { label: 'Log' } });
  repeat(EVERY, onLeave, async () => {
    const log = await client.sandbox.logs(id, { tail: 200 });
    const text = log.lines.map((line) => `${atTime(line.time)} ${line.stream.padEnd(6)} ${line.text}`).join('\n');
    if (lines.textContent === text) return;
    const atEnd = lines.scrollTop + lines.clientHeight >= lines.scrollHeight - 4;
    lines.textContent = text || 'Nothing was logged.';
    // Who has scrolled back to read something stays there.
    if (atEnd) lines.scrollTop = lines.scrollHeight;
  });
  return h('details', { class: 'card' }, h('summary', {}, 'Agent log'), lines);
}
