import type { SandboxInfo } from '@bivouac/sdk';
import { render } from 'preact';
import { h } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { commandsPart } from '../parts/commands.js';
import { copyable } from '../parts/copyable.js';
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
