import '@xterm/xterm/css/xterm.css';
import { button, h, link } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { expires, expiryBanner } from '../parts/expiry.js';
import { OwnTerminals } from '../parts/own-terminals.js';
import { nameOfSandbox } from '../parts/sandbox-head.js';
import { placeBeside, removeFrom, type Side } from '../parts/splits.js';
import { keyBar } from '../parts/key-bar.js';
import { TerminalTab, type TabKind } from '../parts/terminal-tab.js';
import { client } from '../session.js';

/** A sandbox's terminals, full screen, in tabs. */
export const terminalPage: Page = ({ live, session, parameters, onLeave }) => {
  const [id = '', wanted = '', watch = ''] = parameters;
  const tabs: TerminalTab[] = [];
  const own = new OwnTerminals(id);
  const list = h('div', { class: 'row' });
  const line = h('span', { role: 'status' });
  const fingerprint = h('code', { class: 'fingerprint', title: 'Encrypted end to end; the host key of the sandbox', hidden: true });
  const stage = h('div', { class: 'stage' });
  let current: TerminalTab | undefined;
  let opened = 0;
  let left = false;

  /** Terminals that are seen together stand in one child of the stage. */
  const rootOf = (tab: TerminalTab): Element | undefined => [...stage.children].find((child) => child.contains(tab.element));
  const show = (tab: TerminalTab): void => {
    current = tab;
    for (const shown of stage.children) (shown as HTMLElement).hidden = !shown.contains(tab.element);
    for (const other of tabs) other.show(rootOf(other) === rootOf(tab), other === tab);
    paint();
  };
  const close = (tab: TerminalTab): void => {
    const beside = tabs.filter((other) => other !== tab && rootOf(other) === rootOf(tab));
    removeFrom(tab.element, () => tab.close());
    tabs.splice(tabs.indexOf(tab), 1);
    const next = beside.at(-1) ?? tabs.at(-1);
    if (next === undefined) location.hash = `/sandboxes/${id}`;
    else if (tab === current) show(next);
    else paint();
  };
  const open = (kind: TabKind, side?: Side): void => {
    const tab = new TerminalTab(id, `${kind.watch === true ? 'Watching' : kind.sealed === true ? 'Encrypted terminal' : 'Terminal'} ${++opened}${kind.record === true ? ' ●' : ''}`, kind, {
      changed: () => paint(),
      opened: (terminal) => own.add({ id: terminal, record: kind.record === true, sealed: kind.sealed === true }),
      over: (terminal) => own.remove(terminal),
      leave: () => list.querySelector<HTMLElement>('[aria-selected=true]')?.focus(),
    });
    tabs.push(tab);
    if (side === undefined || current === undefined) stage.append(tab.element);
    else placeBeside(current.element, tab.element, side);
    tab.element.addEventListener('focusin', () => {
      if (current === tab) return;
      current = tab;
      paint();
    });
    show(tab);
    void tab.open();
  };
  /** Those from before a reload, which are still there; a new one when there are none. */
  const begin = async (): Promise<void> => {
    const { pty } = client.sandbox.reference(id);
    for (const { id: terminal, record, sealed } of own.all()) {
      const alive = await pty.get(terminal).then(({ status }) => status !== 'terminated', () => false);
      if (!alive || sealed) own.remove(terminal);
      if (alive && sealed) pty.kill(terminal).catch(() => undefined);
      if (alive && !sealed && !left) open({ id: terminal, record });
    }
    if (wanted !== '' && !left && !own.all().some(({ id: mine }) => mine === wanted)) open({ id: wanted, kept: true, watch: watch !== '' });
    if (tabs.length === 0 && !left) open({});
  };
  const tabId = (tab: TerminalTab): string => `tab-${tab.title.replace(/\W+/g, '-')}`;
  const paint = (): void => {
    // Whoever stands on a tab with the keyboard stays there.
    const focused = [...list.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
    // The buttons that close stand beside the tabs, and belong to no tab list.
    const owned = h('span', { role: 'tablist', aria: { label: 'Terminals', owns: tabs.map(tabId).join(' ') } });
    list.replaceChildren(
      owned,
      ...tabs.map((tab) =>
        h(
          'span',
          { class: tab === current ? 'tab current' : 'tab' },
          h('button', { type: 'button', id: tabId(tab), role: 'tab', aria: { selected: String(tab === current) }, onclick: () => show(tab) }, tab.title),
          h('button', { type: 'button', aria: { label: `Close ${tab.title}` }, onclick: () => close(tab) }, '×'),
        ),
      ),
    );
    list.querySelectorAll('button')[focused]?.focus();
    entitle();
    keys.show();
    line.className = `line ${current?.state ?? ''}`;
    line.textContent = current?.state ?? '';
    fingerprint.textContent = current?.fingerprint ?? '';
    fingerprint.hidden = current?.fingerprint === undefined;
  };
  const keys = keyBar(() => current);
  const about = h('span', { class: 'about' });
  let aboutShown = '';
  const entitle = (): void => {
    const sandbox = live.sandboxes.get(id);
    const name = sandbox === undefined ? id : nameOfSandbox(sandbox);
    document.title = `${current?.running ? `${current.running} – ` : ''}${name} · Bivouac`;
    if (about.firstChild !== null && aboutShown === (sandbox === undefined ? '' : JSON.stringify(sandbox))) return;
    aboutShown = sandbox === undefined ? '' : JSON.stringify(sandbox);
    about.replaceChildren(h('strong', {}, name), ...(sandbox === undefined ? [] : [h('span', { class: 'dim wide' }, ` ${sandbox.template} · expires `, expires(sandbox.expiresAt))]));
  };
  onLeave(live.listen(entitle));
  const bar = h(
    'div',
    { class: 'tabs' },
    link('←', `/sandboxes/${id}`, 'button'),
    about,
    list,
    named(button('+', () => open({})), '+ New terminal'),
    named(button('◫', () => open({}, 'right'), 'split-button'), 'Split right'),
    named(button('⊟', () => open({}, 'down'), 'split-button'), 'Split down'),
    named(button('● Record', () => open({ record: true })), '● Record: new terminal that is recorded'),
    named(button('Encrypted', () => open({ sealed: true })), 'Encrypted: new terminal, encrypted end to end'),
    h('span', { class: 'grow' }),
    fingerprint,
    named(button('Find', () => current?.find()), 'Find in the terminal (Ctrl-Shift-F); Ctrl-Shift-L leaves the terminal'),
    line,
  );
  bar.querySelector('a')?.setAttribute('aria-label', 'Back to the sandbox');
  onLeave(() => {
    left = true;
    tabs.forEach((tab) => tab.close());
  });
  // After the page is in place: a terminal measures the room it has.
  queueMicrotask(() => void begin());
  return h('main', { class: 'terminal-page' }, bar, expiryBanner(live, id, mayChange(session), onLeave), stage, keys.element);
};

function named(made: HTMLButtonElement, name: string): HTMLButtonElement {
  made.title = name;
  made.setAttribute('aria-label', name);
  return made;
}
