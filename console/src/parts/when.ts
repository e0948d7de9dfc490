import { h } from '../dom.js';
import { relative } from './words.js';

const EVERY = 5_000;

/** A time as how long ago it was, or how soon it comes; it keeps up by itself. */
export function when(time: string): HTMLTimeElement {
  const shown = h('time', { dateTime: time, title: time }, relative(time));
  shown.dataset.relative = '';
  return shown;
}

/** Keeps all of them up, as long as the page is there. */
export function keepTime(): void {
  setInterval(() => {
    for (const shown of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) shown.textContent = relative(shown.dateTime);
  }, EVERY);
}
