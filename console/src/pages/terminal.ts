import '@xterm/xterm/css/xterm.css';
import { button, h, link } from '../dom.js';
import type { Page } from '../page.js';
import { TerminalTab } from '../parts/terminal-tab.js';

/** A sandbox's terminals, full screen, in tabs. */
export const terminalPage: Page = ({ parameters, onLeave }) => {
  const id = parameters[0] ?? '';
  const tabs: TerminalTab[] = [];
  const bar = h('div', { class: 'tabs', role: 'tablist' });
  const stage = h('div', { class: 'stage' });
  let current: TerminalTab | undefined;

  const show = (tab: TerminalTab): void => {
    current = tab;
    for (const other of tabs) other.show(other === tab);
    paint();
  };
  const close = (tab: TerminalTab): void => {
    tab.close();
    tabs.splice(tabs.indexOf(tab), 1);
    const next = tabs.at(-1);
    if (next === undefined) location.hash = `/sandboxes/${id}`;
    else show(next);
  };
  const open = (sealed = false): void => {
    const tab = new TerminalTab(id, tabs.length + 1, () => paint(), sealed);
    tabs.push(tab);
    stage.append(tab.element);
    show(tab);
    void tab.open();
  };
  const paint = (): void => {
    bar.replaceChildren(
      link('←', `/sandboxes/${id}`, 'button'),
      ...tabs.map((tab) =>
        h(
          'span',
          { class: tab === current ? 'tab current' : 'tab' },
          h('button', { type: 'button', role: 'tab', aria: { selected: String(tab === current) }, onclick: () => show(tab) }, tab.title),
          h('button', { type: 'button', aria: { label: `Close ${tab.title}` }, onclick: () => close(tab) }, '×'),
        ),
      ),
      button('+', () => open()),
      button('🔒', () => open(true)),
      h('span', { class: 'grow' }),
      ...(current?.fingerprint === undefined ? [] : [h('code', { class: 'fingerprint', title: 'Encrypted end to end; the host key of the sandbox' }, current.fingerprint)]),
      h('span', { class: `line ${current?.state ?? ''}`, role: 'status' }, current?.state ?? ''),
    );
  };
  onLeave(() => tabs.forEach((tab) => tab.close()));
  // After the page is in place: a terminal measures the room it has.
  queueMicrotask(() => open());
  return h('main', { class: 'terminal-page' }, bar, stage);
};
