import { button, h } from '../dom.js';
import { attempt } from './feedback.js';

/** A secret that the server does not show again. */
export function onceShown(title: string, secret: string): HTMLElement {
  const text = h('output', { class: 'mono grow' }, secret);
  const copy = button('Copy', () => attempt(() => navigator.clipboard.writeText(secret), 'Copied.'));
  return h('div', { class: 'card' }, h('h2', {}, `${title} – copy it now, it is not shown again`), h('div', { class: 'row' }, text, copy));
}
