import type { Permission, PermissionScope } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import type { Live } from '../live.js';
import { client } from '../session.js';
import { attempt, toast } from './feedback.js';

/** What just appeared under the mouse or the keyboard is not meant yet. */
const NOT_MEANT = 700;
const DECIDED = 4302;
const KEYS: Record<string, string> = { KeyY: 'once', KeyX: 'deny' };
const LASTING: Array<[string, number]> = [
  ['10 minutes', 600],
  ['1 hour', 3600],
  ['8 hours', 8 * 3600],
];

const WIDER: ReadonlyArray<readonly [PermissionScope, string]> = [
  ['sandbox', 'For this sandbox'],
  ['template', 'For this template'],
];

/**
 * Shows what programs ask to be allowed, wherever in the console one is, until it has its answer. The prompts stand
 * beside the page and never take the keyboard: what is typed into a terminal answers nothing. Ctrl-Shift-Y and
 * Ctrl-Shift-X answer the oldest by keyboard, which no program in a terminal is sent; the keyboard stays where it was.
 */
export function permissionPrompts(live: Live): void {
  const place = h('aside', { class: 'prompts', aria: { label: 'Permission requests', live: 'assertive' } });
  document.body.append(place);
  const shown = new Map<string, HTMLElement>();
  const remove = (id: string): void => {
    shown.get(id)?.remove();
    shown.delete(id);
  };
  const show = (item: Permission): void => {
    if (shown.has(item.id) || item.state !== 'open') return;
    const made = prompt(item, live.sandboxes.get(item.sandboxId)?.name ?? item.sandboxId, () => remove(item.id));
    shown.set(item.id, made);
    place.append(made);
  };
  const read = async (): Promise<void> => {
    const open: Permission[] = [];
    for await (const item of client.permissions.list({ state: 'open' })) open.push(item);
    for (const id of shown.keys()) if (!open.some((item) => item.id === id)) remove(id);
    open.reverse().forEach(show);
  };
  live.listen((event) => {
    if (event === undefined) void attempt(read);
    else if (event.type === 'permission.requested') void attempt(async () => show(await client.permissions.get(event.data.requestId)));
    else if (event.type === 'permission.resolved') remove(event.data.requestId);
  });
  if (live.line === 'live') void attempt(read);
  addEventListener(
    'keydown',
    (event) => {
      const name = event.ctrlKey && event.shiftKey ? KEYS[event.code] : undefined;
      const pressed = name === undefined ? undefined : place.querySelector<HTMLButtonElement>(`.prompt button[data-answer=${name}]`);
      if (pressed === undefined || pressed === null) return;
      event.preventDefault();
      event.stopPropagation();
      pressed.click();
    },
    { capture: true },
  );
}

function prompt(item: Permission, sandbox: string, done: () => void): HTMLElement {
  const before = document.activeElement;
  /** The keyboard goes back to where it was: a button that is gone takes no keys. */
  const close = (): void => {
    // A focused button that is disabled or removed leaves the keyboard to the page.
    const held = document.activeElement === document.body || made.contains(document.activeElement);
    done();
    const terminal = document.querySelector<HTMLElement>('.screen:not([hidden]) .xterm-helper-textarea');
    if (held) (terminal ?? (before instanceof HTMLElement && before.isConnected ? before : undefined))?.focus();
  };
  const answer = (granted: boolean, lasts?: number, scope?: PermissionScope): void => {
    buttons.forEach((one) => (one.disabled = true));
    const expiresAt = lasts === undefined ? {} : { expiresAt: new Date(Date.now() + lasts * 1000) };
    client.permissions.answer(item.id, { granted, ...expiresAt, ...(scope === undefined ? {} : { scope }) }).then(
      (after) => {
        toast(after.state === 'open' ? 'Approved; more approvers have to agree.' : `The request was ${after.state}.`);
        close();
      },
      (failure: unknown) => {
        toast(failure instanceof Error ? failure.message : String(failure), 'bad');
        if ((failure as { code?: unknown }).code === DECIDED) close();
        else buttons.forEach((one) => (one.disabled = false));
      },
    );
  };
  const time = h('select', { aria: { label: 'How long' } }, ...LASTING.map(([words, value]) => h('option', { value: String(value) }, words)));
  const buttons = [
    button('Deny', () => answer(false), 'danger'),
    button('Allow once', () => answer(true), 'primary'),
    button('Allow for', () => answer(true, Number(time.value))),
    // How far a yes to the network reaches.
    ...WIDER.filter(([scope]) => item.scopes?.includes(scope)).map(([scope, words]) => button(words, () => answer(true, undefined, scope))),
  ];
  for (const [at, name, keys] of [[0, 'deny', 'Ctrl-Shift-X'], [1, 'once', 'Ctrl-Shift-Y']] as const) {
    const one = buttons[at];
    if (one === undefined) continue;
    one.dataset.answer = name;
    one.title = keys;
    one.setAttribute('aria-keyshortcuts', keys.replaceAll('Ctrl', 'Control').replaceAll('-', '+'));
  }
  buttons.forEach((one) => (one.disabled = true));
  setTimeout(() => buttons.forEach((one) => (one.disabled = false)), NOT_MEANT);
  const left = h('span', { class: 'dim' });
  const made = h(
    'section',
    { class: 'prompt', role: 'alertdialog', aria: { label: `May ${item.source} do this?` } },
    h('h2', {}, item.action === 'network' ? `${sandbox} wants to reach ${item.resource}` : `${item.source}: ${item.action}`),
    item.action !== 'network' && h('pre', { class: 'what', tabIndex: 0 }, item.resource === '' ? item.action : item.resource),
    item.action === 'network' && h('p', {}, `${item.source || 'A program'} is waiting for the connection.`),
    item.description !== '' && h('p', {}, item.description),
    h('p', { class: 'dim' }, 'in ', link(sandbox, `/sandboxes/${item.sandboxId}`), ` at ${item.cwd}`),
    item.input !== '' && h('details', {}, h('summary', {}, `All of its input, ${item.inputBytes} bytes`), h('pre', { class: 'what', tabIndex: 0 }, item.input)),
    h('div', { class: 'row end' }, left, h('span', { class: 'grow' }), ...buttons.slice(0, 2), ...buttons.slice(3), h('span', { class: 'row lasting' }, buttons[2], time)),
    h('p', { class: 'dim keys' }, 'Ctrl-Shift-Y allows once, Ctrl-Shift-X denies.'),
  );
  const tick = (): void => {
    if (!made.isConnected && left.textContent !== '') return;
    const seconds = Math.max(0, Math.round((Date.parse(item.expiresAt) - Date.now()) / 1000));
    left.textContent = `${seconds} s left`;
    setTimeout(tick, 1000);
  };
  tick();
  return made;
}
