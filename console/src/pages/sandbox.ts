import type { SandboxInfo } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { attempt, confirm } from '../parts/feedback.js';
import { chartsPart, commandsPart, historyPart, logsPart } from '../parts/sandbox-parts.js';
import { relative } from '../parts/words.js';
import { client } from '../session.js';
import { stateMark } from './sandboxes.js';

/** One sandbox: what it is, does, used and said. */
export const sandboxPage: Page = ({ live, session, parameters, onLeave }) => {
  const id = parameters[0] ?? '';
  const head = h('div', { class: 'row' });
  const facts = h('dl', { class: 'facts card' });
  const parts = h('div', { class: 'grid' });
  let shownState: string | undefined;
  const show = (): void => {
    const sandbox = live.sandboxes.get(id);
    if (sandbox === undefined) {
      if (live.line === 'live') head.replaceChildren(h('h1', {}, id), stateMark('deleted'));
      return;
    }
    head.replaceChildren(h('h1', {}, sandbox.name ?? sandbox.id), stateMark(sandbox.state), h('span', { class: 'grow' }), ...actions(sandbox, mayChange(session)));
    facts.replaceChildren(...factsOf(sandbox));
    if (sandbox.state === shownState) return;
    shownState = sandbox.state;
    const running = sandbox.state === 'running';
    parts.replaceChildren(...(running ? [chartsPart(id, onLeave), commandsPart(id, onLeave)] : []), logsPart(id, onLeave));
  };
  onLeave(live.listen((event) => (event === undefined || event.subject === id) && show()));
  const ticking = setInterval(show, 10_000);
  onLeave(() => clearInterval(ticking));
  show();
  return h('main', {}, link('← Sandboxes', '/'), head, facts, parts, historyPart(id, live, onLeave));
};

function factsOf(sandbox: SandboxInfo): HTMLElement[] {
  const rows: Array<[string, string | undefined]> = [
    ['Id', sandbox.id],
    ['Reason', sandbox.stateReason],
    ['Ended by', sandbox.stopReason],
    ['Template', sandbox.template],
    ['Created', relative(sandbox.createdAt)],
    ['Expires', relative(sandbox.expiresAt)],
    ['Limits', sandbox.resources.memory === '' ? undefined : `${sandbox.resources.cpu} cores, ${sandbox.resources.memory} memory, ${sandbox.resources.disk} disk`],
    ['Labels', Object.entries(sandbox.labels).map(([key, value]) => `${key}=${value}`).join(', ') || undefined],
  ];
  return rows.filter(([, value]) => value !== undefined).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)));
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
