import { button, h } from '../dom.js';
import { attempt } from './feedback.js';

/** A text to be pasted elsewhere, with a button that copies it. */
export function copyable(text: string): HTMLElement {
  const copy = button('Copy', () => attempt(() => navigator.clipboard.writeText(text), 'Copied.'), 'quiet');
  return h('span', { class: 'row' }, h('code', { class: 'mono grow' }, text), copy);
}
