import { h } from '../dom.js';
import { nearness } from './expiry.js';
import { atTime, relative } from './words.js';

const EVERY = 1_000;

/** A time as how long ago it was, or how soon it comes; it keeps up by itself. */
export function when(time: string): HTMLTimeElement {
  const shown = h('time', { dateTime: time, title: atTime(time) }, relative(time));
  shown.dataset.relative = '';
  return shown;
}

/** A time as a clock shows it here. */
export function atLocalTime(time: string): HTMLTimeElement {
  return h('time', { dateTime: time, title: time }, atTime(time));
}

/** Keeps all of them up, as long as the page is there. */
export function keepTime(): void {
  setInterval(() => {
    for (const shown of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
      const words = relative(shown.dateTime);
      if (shown.textContent === words) continue;
      shown.textContent = words;
      if (shown.classList.contains('expires')) shown.className = `expires ${nearness(shown.dateTime)}`;
    }
  }, EVERY);
}
