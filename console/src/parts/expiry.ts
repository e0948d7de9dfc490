import type { SandboxInfo } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import type { Live } from '../live.js';
import { client } from '../session.js';
import { attempt, toast } from './feedback.js';
import type { OnLeave } from './repeat.js';
import { atTime, relative } from './words.js';

const EVERY = 1_000;
const MINUTE = 60_000;
const SOON = 10 * MINUTE;
const AT_ONCE = 2 * MINUTE;

/** As long before the end as the server's own event. */
const BANNER = 5 * MINUTE;

const THEN = { keep: 'Its files are kept for a while then.', stop: 'It is stopped then, with its files.', delete: 'Its files are removed then.' };

export const HALF_AN_HOUR = 1800;

/** How near an end is, as a colour. */
export function nearness(expiresAt: string, now = Date.now()): '' | 'soon' | 'now' {
  const left = Date.parse(expiresAt) - now;
  if (left > SOON) return '';
  return left > AT_ONCE ? 'soon' : 'now';
}

/** When a sandbox expires, in the colour of how near that is; `keepTime` keeps it up. */
export function expires(expiresAt: string): HTMLTimeElement {
  const shown = h('time', { dateTime: expiresAt, title: atTime(expiresAt), class: `expires ${nearness(expiresAt)}` }, relative(expiresAt));
  shown.dataset.relative = '';
  return shown;
}

export function isAlive({ state }: Pick<SandboxInfo, 'state'>): boolean {
  return state === 'running' || state === 'starting' || state === 'paused';
}

/** Gives a sandbox half an hour more; the page shows the new end at once. */
export async function extend(live: Live, id: string): Promise<void> {
  const extended = await attempt(() => client.sandbox.extend(id, HALF_AN_HOUR));
  if (extended === undefined) return;
  const info = extended.toJSON();
  live.put(info);
  toast(`Expires at ${atTime(info.expiresAt)} now (+30 min).`);
}

/** Says that a sandbox expires soon, and what can be done; nothing before that. */
export function expiryBanner(live: Live, id: string, changing: boolean, onLeave: OnLeave): HTMLElement {
  const words = h('strong', { role: 'status' });
  const after = h('span', { class: 'grow' });
  const more = button('Extend 30 min', () => extend(live, id), 'primary');
  const banner = h('div', { class: 'banner', hidden: true }, words, after, changing && more);
  const show = (): void => {
    const sandbox = live.sandboxes.get(id);
    const left = sandbox === undefined || !isAlive(sandbox) ? Infinity : Date.parse(sandbox.expiresAt) - Date.now();
    banner.hidden = left > BANNER;
    if (banner.hidden) return;
    const text = left <= 0 ? 'Expires now' : `Expires in ${Math.max(1, Math.ceil(left / MINUTE))} min`;
    if (words.textContent !== text) words.textContent = text;
    after.textContent = THEN[sandbox?.onExpiry ?? 'keep'];
    banner.classList.toggle('now', left <= AT_ONCE);
  };
  const timer = setInterval(show, EVERY);
  onLeave(() => clearInterval(timer));
  onLeave(live.listen(show));
  show();
  return banner;
}
