import { h } from '../dom.js';

export type Side = 'right' | 'down';

/** Puts a new pane beside or below one that is there: both share its room. */
export function placeBeside(present: HTMLElement, fresh: HTMLElement, side: Side): void {
  const split = h('div', { class: `split ${side}` });
  present.replaceWith(split);
  split.append(present, fresh);
}

/** Takes a pane away; the one beside it gets its room. */
export function removeFrom(pane: HTMLElement, remove: () => void): void {
  const split = pane.parentElement;
  remove();
  pane.remove();
  const [left] = split?.children ?? [];
  if (split?.classList.contains('split') === true && left !== undefined) split.replaceWith(left);
}
