import { useState } from 'preact/hooks';
import { mayChange, type Page, type Setting } from '../page.js';
import { createDialog } from '../parts/create-dialog.js';
import { projectUsage } from '../parts/project-usage.js';
import { BulkBar } from '../sandboxes/bulk-bar.js';
import { matches, sorted, type Order } from '../sandboxes/order.js';
import { SandboxTable } from '../sandboxes/table.js';
import { Welcome } from '../sandboxes/welcome.js';
import { mounted, Plain, useLive } from '../ui/mount.js';
import { Icon } from '../ui/pieces.js';

const STATES = ['running', 'starting', 'stopping', 'stopped', 'paused', 'expired', 'error'];

function Sandboxes({ setting }: { setting: Setting }) {
  const { live, session } = setting;
  useLive(live);
  const [words, setWords] = useState('');
  const [state, setState] = useState('');
  const [order, setOrder] = useState<Order>({ by: 'createdAt', down: true });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const changing = mayChange(session);
  const all = [...live.sandboxes.values()];
  const fitting = all.filter((row) => matches(row, words));
  const counts = new Map<string, number>();
  for (const row of fitting) counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
  const rows = sorted(state === '' ? fitting : fitting.filter((row) => row.state === state), order);
  const selected = rows.filter(({ id }) => chosen.has(id));
  const isEmpty = live.line === 'live' && all.length === 0;
  return (
    <>
      <div class="list-tools">
        <h1>Sandboxes</h1>
        <span class="dim">{rows.length === all.length ? all.length : `${rows.length} of ${all.length}`}</span>
        <span class="grow" />
        <input type="search" placeholder="Filter" title="By id, name, template, state or label" aria-label="Filter" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
        {changing && (
          <button type="button" class="primary" onClick={() => createDialog()}>
            <Icon name="plus" /> New sandbox
          </button>
        )}
      </div>
      <div class="chips" role="group" aria-label="States">
        <Pill name="All" count={fitting.length} pressed={state === ''} press={() => setState('')} />
        {STATES.filter((one) => counts.has(one) || one === state).map((one) => (
          <Pill key={one} name={one.replace(/^./, (letter) => letter.toUpperCase())} count={counts.get(one) ?? 0} pressed={state === one} press={() => setState(state === one ? '' : one)} />
        ))}
      </div>
      {isEmpty ? (
        <Welcome setting={setting} />
      ) : (
        <SandboxTable rows={rows} order={order} reorder={setOrder} changing={changing} chosen={chosen} choose={setChosen} filter={setWords} />
      )}
      {selected.length > 0 && <BulkBar rows={selected} live={live} done={() => setChosen(new Set())} />}
      <Plain make={projectUsage} />
    </>
  );
}

function Pill({ name, count, pressed, press }: { name: string; count: number; pressed: boolean; press: () => void }) {
  return (
    <button type="button" class="chip" aria-pressed={pressed} onClick={press}>
      {name} <b>{count}</b>
    </button>
  );
}

/** All sandboxes, as they are this moment. */
export const sandboxesPage: Page = (setting) => mounted(setting, <Sandboxes setting={setting} />, 'list-page');

