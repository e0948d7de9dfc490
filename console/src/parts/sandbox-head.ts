import type { SandboxInfo } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import { mayChange, type Setting } from '../page.js';
import { client } from '../session.js';
import { expires, expiryBanner, extend, isAlive } from './expiry.js';
import { attempt, confirm } from './feedback.js';

export function stateMark(sandbox: Pick<SandboxInfo, 'state'>): HTMLElement {
  return h('span', { class: `state ${sandbox.state}` }, sandbox.state);
}

export function nameOfSandbox(sandbox: Pick<SandboxInfo, 'id' | 'name'>): string {
  return sandbox.name ?? sandbox.id;
}

export async function deleteSandbox(sandbox: SandboxInfo): Promise<boolean> {
  const name = nameOfSandbox(sandbox);
  if (!(await confirm(`Delete ${name} and its files?`, 'Delete'))) return false;
  return (await attempt(() => client.sandbox.delete(sandbox.id).then(() => true), `Deleted ${name}.`)) === true;
}

const TABS = ['overview', 'files', 'code'] as const;

export type SandboxTab = (typeof TABS)[number];

/** What stands above all that a sandbox's pages show: its name, state and end, what can be done with it, and its pages. */
export function sandboxHead({ live, session, onLeave }: Setting, id: string, tab: SandboxTab, changed: (sandbox: SandboxInfo) => void): HTMLElement[] {
  const head = h('div', { class: 'row head' }, h('h1', {}, id));
  const tabs = h('nav', { class: 'subnav', aria: { label: 'Pages of the sandbox' }, hidden: true }, link('Overview', `/sandboxes/${id}`), link('Files', `/sandboxes/${id}/files`), link('Code', `/sandboxes/${id}/code`));
  tabs.children[TABS.indexOf(tab)]?.setAttribute('aria-current', 'page');
  const changing = mayChange(session);
  document.title = `${id} · Bivouac`;
  let present = '';
  let asked = false;
  const show = (): void => {
    const sandbox = live.sandboxes.get(id);
    if (sandbox === undefined) {
      if (live.line === 'live' && !asked) {
        asked = true;
        void goneOrUnknown(id).then((shown) => head.replaceChildren(...shown));
      }
      tabs.hidden = true;
      return;
    }
    if (sandbox.resources.memory === '') void live.complete(id);
    // Buttons stay where the keyboard is, unless something changed.
    if (present === JSON.stringify(sandbox)) return;
    present = JSON.stringify(sandbox);
    document.title = `${nameOfSandbox(sandbox)} · Bivouac`;
    tabs.hidden = false;
    const end = isAlive(sandbox) ? [h('span', { class: 'dim' }, 'expires ', expires(sandbox.expiresAt))] : [];
    head.replaceChildren(h('h1', {}, nameOfSandbox(sandbox)), stateMark(sandbox), ...end, h('span', { class: 'grow' }), ...(changing ? actions(sandbox, () => extend(live, id)) : []));
    changed(sandbox);
  };
  onLeave(live.listen((event) => (event === undefined || event.subject === id) && show()));
  // After the page is in place: its parts measure the room they have.
  queueMicrotask(show);
  return [link('← Sandboxes', '/sandboxes'), head, expiryBanner(live, id, changing, onLeave), tabs];
}

/** A sandbox that is not there: its history tells whether it ever was. */
async function goneOrUnknown(id: string): Promise<HTMLElement[]> {
  const was = await client.sandbox.history(id, { limit: 1 }).then(({ items }) => items.length > 0, () => false);
  if (was) return [h('h1', {}, id), stateMark({ state: 'deleted' })];
  return [h('h1', {}, 'Unknown sandbox'), h('p', { class: 'dim' }, `This project has no sandbox ${id}.`)];
}

function actions(sandbox: SandboxInfo, more: () => Promise<void>): HTMLElement[] {
  const { id, state } = sandbox;
  const does = (text: string, act: () => Promise<unknown>): HTMLButtonElement => button(text, () => attempt(act));
  return [
    ...(state === 'running' ? [link('Open terminal', `/sandboxes/${id}/terminal`, 'button primary')] : []),
    ...(isAlive(sandbox) ? [button('Extend 30 min', more), does('Stop', () => client.sandbox.stop(id))] : []),
    ...(state === 'running' ? [does('Pause', () => client.sandbox.pause(id))] : []),
    ...(state === 'paused' ? [does('Resume', () => client.sandbox.resume(id))] : []),
    ...(state === 'stopped' ? [does('Start', () => client.sandbox.start(id))] : []),
    button('Delete', async () => (await deleteSandbox(sandbox)) && (location.hash = '/sandboxes'), 'danger'),
  ];
}
