import type { SandboxInfo } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { commandsPart } from '../parts/commands.js';
import { copyable } from '../parts/copyable.js';
import { facts } from '../parts/facts.js';
import { attempt, confirm } from '../parts/feedback.js';
import { chartsPart, historyPart, logsPart } from '../parts/sandbox-parts.js';
import { when } from '../parts/when.js';
import { client } from '../session.js';
import { stateMark } from './sandboxes.js';

/** One sandbox: what it is, does, used and said. */
export const sandboxPage: Page = ({ live, session, parameters, onLeave }) => {
  const id = parameters[0] ?? '';
  const head = h('div', { class: 'row' });
  const shown = h('dl', { class: 'facts card' });
  const parts = h('div', { class: 'grid' });
  const log = h('div');
  let present = '';
  let shownState: string | undefined;
  let leaveParts: Array<() => void> = [];
  const leaving = (): void => leaveParts.forEach((act) => act());
  const show = (): void => {
    const sandbox = live.sandboxes.get(id);
    if (sandbox === undefined) {
      if (live.line === 'live') head.replaceChildren(h('h1', {}, id), stateMark('deleted'));
      return;
    }
    if (sandbox.resources.memory === '') void live.complete(id);
    // Buttons stay where the keyboard is, unless something changed.
    if (present === JSON.stringify(sandbox)) return;
    present = JSON.stringify(sandbox);
    head.replaceChildren(h('h1', {}, sandbox.name ?? sandbox.id), stateMark(sandbox.state), h('span', { class: 'grow' }), ...actions(sandbox, mayChange(session)));
    shown.replaceChildren(...factsOf(sandbox));
    if (sandbox.state === shownState) return;
    shownState = sandbox.state;
    const running = sandbox.state === 'running';
    leaving();
    leaveParts = [];
    const until = (act: () => void): void => void leaveParts.push(act);
    parts.replaceChildren(...(running ? [chartsPart(id, until), commandsPart(id, mayChange(session), until)] : []));
    log.replaceChildren(logsPart(id, until));
  };
  onLeave(live.listen((event) => (event === undefined || event.subject === id) && show()));
  onLeave(leaving);
  show();
  return h('main', {}, link('← Sandboxes', '/'), head, shown, parts, log, historyPart(id, live, onLeave));
};

function factsOf(sandbox: SandboxInfo): HTMLElement[] {
  return facts([
    ['Id', sandbox.id],
    ['Reason', sandbox.stateReason],
    ['Ended by', sandbox.stopReason],
    ['Template', sandbox.template],
    ['Created', when(sandbox.createdAt)],
    ['Expires', when(sandbox.expiresAt)],
    ['Limits', sandbox.resources.memory === '' ? undefined : `${sandbox.resources.cpu} CPU, ${sandbox.resources.memory} memory, ${sandbox.resources.disk} disk`],
    ['Labels', Object.entries(sandbox.labels).map(([key, value]) => `${key}=${value}`).join(', ') || undefined],
    ['Reaches', sandbox.resources.memory === '' ? undefined : sandbox.egress.allow.join(', ') || 'nothing outside'],
    ['Ports', sandbox.ports?.map(({ port, address }) => `${port} at ${address}`).join(', ')],
    ['Mount', sandbox.nfs === undefined ? undefined : copyable(sandbox.nfs.mountCommand)],
  ]);
}

const HALF_AN_HOUR = 1800;

function actions(sandbox: SandboxInfo, changing: boolean): HTMLElement[] {
  if (!changing) return [];
  const { id, state } = sandbox;
  const does = (text: string, act: () => Promise<unknown>, names = ''): HTMLButtonElement => button(text, () => attempt(act), names);
  return [
    ...(state === 'running' ? [link('Log in to sandbox', `/sandboxes/${id}/terminal`, 'button primary')] : []),
    ...(state === 'running' || state === 'starting' ? [does('30 min more', () => client.sandbox.extend(id, HALF_AN_HOUR)), does('Stop', () => client.sandbox.stop(id))] : []),
    ...(state === 'stopped' && sandbox.stopReason !== 'expired' ? [does('Start', () => client.sandbox.start(id))] : []),
    button(
      'Delete',
      async () => {
        if (!(await confirm(`Delete ${sandbox.name ?? id} and its files?`, 'Delete'))) return;
        await attempt(() => client.sandbox.delete(id), `${sandbox.name ?? id} is gone.`);
        location.hash = '/';
      },
      'danger',
    ),
  ];
}
