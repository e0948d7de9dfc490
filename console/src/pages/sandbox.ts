import type { SandboxInfo } from '@bivouac/sdk';
import { h } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { commandsPart } from '../parts/commands.js';
import { copyable } from '../parts/copyable.js';
import { isAlive } from '../parts/expiry.js';
import { facts } from '../parts/facts.js';
import { portsPart } from '../parts/ports.js';
import { sandboxHead } from '../parts/sandbox-head.js';
import { chartsPart, historyPart, logsPart } from '../parts/sandbox-parts.js';
import { terminalsPart } from '../parts/terminals.js';
import { when } from '../parts/when.js';

/** One sandbox: what it is, does, used and said. */
export const sandboxPage: Page = (setting) => {
  const { live, session, onLeave } = setting;
  const id = setting.parameters[0] ?? '';
  const shown = h('dl', { class: 'facts card' });
  const parts = h('div', { class: 'grid' });
  const log = h('div');
  let shownState: string | undefined;
  let leaveParts: Array<() => void> = [];
  const leaving = (): void => leaveParts.forEach((act) => act());
  const head = sandboxHead(setting, id, 'overview', (sandbox) => {
    shown.replaceChildren(...factsOf(sandbox));
    if (sandbox.state === shownState) return;
    shownState = sandbox.state;
    leaving();
    leaveParts = [];
    const until = (act: () => void): void => void leaveParts.push(act);
    parts.replaceChildren(...(sandbox.state === 'running' ? [commandsPart(id, mayChange(session), until), chartsPart(id, until), terminalsPart(id, mayChange(session), until), portsPart(id, mayChange(session), until)] : []));
    log.replaceChildren(logsPart(id, until));
  });
  onLeave(leaving);
  return h('main', {}, ...head, shown, parts, log, historyPart(id, live, onLeave));
};

const AT_END = { keep: 'its files are kept for a while', stop: 'it is stopped with its files', delete: 'its files are removed' };

function endedBy({ state, stopReason }: SandboxInfo): string | undefined {
  if (state === 'stopped' && stopReason === 'expired') return 'its expiry; it can be started again';
  return stopReason === 'expired' ? 'its expiry' : stopReason;
}

function filesOf({ expiredFiles }: SandboxInfo): Node | string | undefined {
  if (expiredFiles === undefined) return undefined;
  if (expiredFiles.until === undefined) return 'removed';
  return h('span', {}, 'kept as a workspace until ', when(expiredFiles.until));
}

function factsOf(sandbox: SandboxInfo): HTMLElement[] {
  const isKnown = sandbox.resources.memory !== '';
  return facts([
    ['Id', sandbox.id],
    ['Reason', sandbox.stateReason],
    ['Ended by', endedBy(sandbox)],
    ['Files', filesOf(sandbox)],
    ['At its end', isKnown && isAlive(sandbox) ? AT_END[sandbox.onExpiry] : undefined],
    ['Template', sandbox.template],
    ['Created', when(sandbox.createdAt)],
    [sandbox.state === 'expired' ? 'Expired' : 'Expires', sandbox.state === 'stopped' ? undefined : when(sandbox.expiresAt)],
    ['Limits', isKnown ? `${sandbox.resources.cpu} CPU, ${sandbox.resources.memory} memory, ${sandbox.resources.disk} disk` : undefined],
    ['Labels', Object.entries(sandbox.labels).map(([key, value]) => `${key}=${value}`).join(', ') || undefined],
    ['Network', isKnown ? sandbox.egress.allow.join(', ') || 'blocked' : undefined],
    ['Published ports', sandbox.ports?.map(({ port, address }) => `${port} at ${address}`).join(', ')],
    ['Mount (NFS)', sandbox.nfs === undefined ? undefined : copyable(sandbox.nfs.mountCommand)],
  ]);
}
