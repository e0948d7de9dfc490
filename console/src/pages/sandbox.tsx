import type { SandboxInfo } from '@bivouac/sdk';
import { render } from 'preact';
import { h } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { commandsPart } from '../parts/commands.js';
import { copyable } from '../parts/copyable.js';
import { isAlive } from '../parts/expiry.js';
import { facts } from '../parts/facts.js';
import { logsPart } from '../parts/logs.js';
import { NetworkCard } from '../parts/network.js';
import { portsPart } from '../parts/ports.js';
import { sandboxHead } from '../parts/sandbox-head.js';
import { Story } from '../parts/story.js';
import { terminalsPart } from '../parts/terminals.js';
import { usageCharts } from '../parts/usage-charts.js';
import { when } from '../parts/when.js';
import { Plain } from '../ui/mount.js';

/** One sandbox: what it does, says, uses and may reach, and all that happened in it. */
export const sandboxPage: Page = (setting) => {
  const { live, session, usage, onLeave } = setting;
  const id = setting.parameters[0] ?? '';
  const changing = mayChange(session);
  const shown = h('dl', { class: 'facts card', hidden: true });
  const place = h('div', { class: 'columns' });
  const show = (running: boolean): void =>
    render(
      <>
        <div class="column">
          {running && <Plain make={(leave) => commandsPart(id, changing, leave)} />}
          {running && <Plain make={(leave) => terminalsPart(id, changing, leave)} />}
          <Story id={id} live={live} running={running} />
        </div>
        <div class="column">
          {running && <Plain make={(leave) => usageCharts(id, usage, leave)} />}
          {running && <NetworkCard id={id} changing={changing} />}
          {running && <Plain make={(leave) => portsPart(id, changing, leave)} />}
          <Plain make={(leave) => logsPart(id, leave)} />
        </div>
      </>,
      place,
    );
  // A sandbox that is gone has its story still.
  show(false);
  const head = sandboxHead(setting, id, 'overview', (sandbox) => {
    shown.hidden = false;
    shown.replaceChildren(...factsOf(sandbox));
    show(sandbox.state === 'running');
  });
  onLeave(() => render(null, place));
  return h('main', { class: 'sandbox-page' }, ...head, shown, place);
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
