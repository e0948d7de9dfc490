import { button, h } from '../dom.js';

const KEYS: ReadonlyArray<readonly [string, string]> = [
  ['Ctrl-K or ⌘K', 'Go to a sandbox, a page or an action'],
  ['?', 'This list'],
  ['Ctrl-Shift-Y', 'Allow the oldest permission request once'],
  ['Ctrl-Shift-X', 'Deny it'],
  ['Ctrl-Shift-F', 'Find in the terminal'],
  ['Ctrl-Shift-L', 'Leave the terminal for its tabs'],
  ['Shift-Enter', 'Run a cell of code and go to the next'],
  ['Ctrl-Enter', 'Run a cell of code'],
];

export function shortcutsDialog(): void {
  const dialog = h('dialog', { aria: { label: 'Keyboard shortcuts' } }, h('h2', {}, 'Keyboard shortcuts'));
  const list = h('dl', { class: 'keys-list' }, ...KEYS.flatMap(([keys, words]) => [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, words)]));
  dialog.append(list, h('div', { class: 'row end' }, button('Close', () => dialog.close())));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
