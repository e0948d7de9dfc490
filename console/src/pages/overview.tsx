import { Activity } from '../overview/activity.js';
import { Health, Host } from '../overview/host.js';
import { Inbox } from '../overview/inbox.js';
import { Wall } from '../overview/wall.js';
import { mayChange, type Page, type Setting } from '../page.js';
import { createDialog } from '../parts/create-dialog.js';
import { nearness } from '../parts/expiry.js';
import { Welcome } from '../sandboxes/welcome.js';
import { mounted, useLive } from '../ui/mount.js';
import { Icon } from '../ui/pieces.js';

/** The start: what runs, what waits for somebody, what happened, and how the server is. */
export const overviewPage: Page = (setting) => {
  setting.usage.follow(setting.onLeave);
  return mounted(setting, <Overview setting={setting} />, 'overview');
};

function Overview({ setting }: { setting: Setting }) {
  const { live, session, usage } = setting;
  useLive(live);
  const changing = mayChange(session);
  const all = [...live.sandboxes.values()];
  const running = all.filter(({ state }) => state === 'running').sort((a, b) => (a.id < b.id ? 1 : -1));
  const count = (word: string): number => all.filter((row) => row.state === word).length;
  const soon = running.filter(({ expiresAt }) => nearness(expiresAt) !== '').length;
  return (
    <>
      <div class="row">
        <h1>Overview</h1>
        <span class="grow" />
        {changing && (
          <button type="button" class="primary" onClick={() => createDialog()}>
            <Icon name="plus" /> New sandbox
          </button>
        )}
      </div>
      {live.line === 'live' && all.length === 0 ? (
        <Welcome setting={setting} />
      ) : (
        <>
          <dl class="figures">
            <Figure name="Running" value={running.length} />
            <Figure name="Starting" value={count('starting')} />
            <Figure name="Expire soon" value={soon} kind={soon > 0 ? 'warn' : ''} />
            <Figure name="Stopped" value={count('stopped')} />
            <Figure name="Expired" value={count('expired')} />
            <Figure name="In error" value={count('error')} kind={count('error') > 0 ? 'bad' : ''} />
          </dl>
          <div class="two">
            <div>
              <section aria-label="What runs">
                {running.length === 0 ? <p class="card dim">Nothing runs at the moment.</p> : <Wall running={running} usage={usage} />}
              </section>
              <Host usage={usage} live={live} system={session.system} />
            </div>
            <div>
              <Inbox live={live} changing={changing} />
              <Activity live={live} />
              <Health system={session.system} />
            </div>
          </div>
        </>
      )}
    </>
  );
}

function Figure({ name, value, kind = '' }: { name: string; value: number; kind?: string }) {
  return (
    <div class={kind}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
