import type { SandboxInfo } from '@bivouac/sdk';
import { h } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { commandsPart } from '../parts/commands.js';
import { copyable } from '../parts/copyable.js';
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

function factsOf(sandbox: SandboxInfo): HTMLElement[] {
  const isKnown = sandbox.resources.memory !== '';
  return facts([
    ['Id', sandbox.id],
    ['Reason', sandbox.stateReason],
    ['Ended by', sandbox.stopReason === 'expired' ? 'its expiry; its files were removed' : sandbox.stopReason],
    ['Template', sandbox.template],
    ['Created', when(sandbox.createdAt)],
    [sandbox.state === 'stopped' ? 'Expired' : 'Expires', sandbox.state === 'stopped' && sandbox.stopReason !== 'expired' ? undefined : when(sandbox.expiresAt)],
    ['Limits', isKnown ? `${sandbox.resources.cpu} CPU, ${sandbox.resources.memory} memory, ${sandbox.resources.disk} disk` : undefined],
    ['Labels', Object.entries(sandbox.labels).map(([key, value]) => `${key}=${value}`).join(', ') || undefined],
    ['Network', isKnown ? sandbox.egress.allow.join(', ') || 'blocked' : undefined],
    ['Published ports', sandbox.ports?.map(({ port, address }) => `${port} at ${address}`).join(', ')],
    ['Mount (NFS)', sandbox.nfs === undefined ? undefined : copyable(sandbox.nfs.mountCommand)],
  ]);
}
