import type { Permission } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import type { Live } from '../live.js';
import { client } from '../session.js';
import { attempt, toast } from './feedback.js';

/** What just appeared under the mouse or the keyboard is not meant yet. */
const NOT_MEANT = 700;
const DECIDED = 4302;
const LASTING: Array<[string, number]> = [
  ['10 minutes', 600],
  ['1 hour', 3600],
  ['8 hours', 8 * 3600],
];

/**
 * Shows what programs ask to be allowed, wherever in the console one is, until it has its answer. The prompts stand
 * beside the page and never take the keyboard: what is typed into a terminal answers nothing.
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
    const made = prompt(item, () => remove(item.id));
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
}

function prompt(item: Permission, done: () => void): HTMLElement {
  const answer = (granted: boolean, lasts?: number): void => {
    buttons.forEach((one) => (one.disabled = true));
    const expiresAt = lasts === undefined ? {} : { expiresAt: new Date(Date.now() + lasts * 1000) };
    client.permissions.answer(item.id, { granted, ...expiresAt }).then(
      (after) => {
        toast(after.state === 'open' ? 'Approved; more approvers have to agree.' : `The request was ${after.state}.`);
        done();
      },
      (failure: unknown) => {
        toast(failure instanceof Error ? failure.message : String(failure), 'bad');
        if ((failure as { code?: unknown }).code === DECIDED) done();
        else buttons.forEach((one) => (one.disabled = false));
      },
    );
  };
  const time = h('select', { aria: { label: 'How long' } }, ...LASTING.map(([words, value]) => h('option', { value: String(value) }, words)));
  const buttons = [
    button('Deny', () => answer(false), 'danger'),
    button('Allow once', () => answer(true), 'primary'),
    button('Allow for', () => answer(true, Number(time.value))),
  ];
  buttons.forEach((one) => (one.disabled = true));
  setTimeout(() => buttons.forEach((one) => (one.disabled = false)), NOT_MEANT);
  const left = h('span', { class: 'dim' });
  const made = h(
    'section',
    { class: 'prompt', role: 'alertdialog', aria: { label: `May ${item.source} do this?` } },
    h('h2', {}, `${item.source}: ${item.action}`),
    h('pre', { class: 'what', tabIndex: 0 }, item.resource === '' ? item.action : item.resource),
    item.description !== '' && h('p', {}, item.description),
    h('p', { class: 'dim' }, 'in ', link(item.sandboxId, `/sandboxes/${item.sandboxId}`), ` at ${item.cwd}`),
    item.input !== '' && h('details', {}, h('summary', {}, `All of its input, ${item.inputBytes} bytes`), h('pre', { class: 'what', tabIndex: 0 }, item.input)),
    h('div', { class: 'row end' }, left, h('span', { class: 'grow' }), ...buttons, time),
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
