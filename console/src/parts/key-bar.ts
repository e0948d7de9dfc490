import { h } from '../dom.js';
import type { TerminalTab } from './terminal-tab.js';

/** Keys that keyboards on glass do not have, and what a terminal sends for them. */
const KEYS: ReadonlyArray<readonly [string, string, string]> = [
  ['Esc', '\x1b', 'Escape'],
  ['Tab', '\t', 'Tab'],
  ['↑', '\x1b[A', 'Up'],
  ['↓', '\x1b[B', 'Down'],
  ['←', '\x1b[D', 'Left'],
  ['→', '\x1b[C', 'Right'],
  ['|', '|', 'Pipe'],
  ['~', '~', 'Tilde'],
  ['/', '/', 'Slash'],
];

/** A row of keys below the terminal, where fingers type. */
export function keyBar(current: () => TerminalTab | undefined): { element: HTMLElement; show(): void } {
  const key = (text: string, name: string, act: () => void): HTMLButtonElement => {
    const made = h('button', { type: 'button', aria: { label: name }, onclick: act }, text);
    // The keyboard stays where it is.
    made.addEventListener('pointerdown', (event) => event.preventDefault());
    return made;
  };
  const control = key('Ctrl', 'Control for the next key', () => {
    const tab = current();
    if (tab === undefined) return;
    tab.control = !tab.control;
    show();
  });
  const show = (): void => control.setAttribute('aria-pressed', String(current()?.control ?? false));
  show();
  const [escape, ...others] = KEYS.map(([text, sent, name]) => key(text, name, () => current()?.type(sent)));
  return { element: h('div', { class: 'key-bar', role: 'toolbar', aria: { label: 'Keys' } }, escape, control, ...others), show };
}
