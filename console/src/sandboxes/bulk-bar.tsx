import type { SandboxInfo } from '@bivouac/sdk';
import type { Live } from '../live.js';
import { HALF_AN_HOUR, isAlive } from '../parts/expiry.js';
import { attempt, confirm, toast } from '../parts/feedback.js';
import { client } from '../session.js';
import { Icon } from '../ui/pieces.js';

/** What the server deletes with one request. */
const MOST_AT_ONCE = 50;

/** What can be done with all that were selected. */
export function BulkBar({ rows, live, done }: { rows: readonly SandboxInfo[]; live: Live; done: () => void }) {
  const alive = rows.filter(isAlive);
  const each = async (chosen: readonly SandboxInfo[], act: (row: SandboxInfo) => Promise<unknown>, words: string): Promise<void> => {
    let failed = 0;
    for (const row of chosen) await act(row).catch(() => failed++);
    toast(failed === 0 ? `${words} ${chosen.length}.` : `${words} ${chosen.length - failed}; ${failed} failed.`, failed === 0 ? 'good' : 'bad');
    done();
  };
  const extend = (): Promise<void> => each(alive, async ({ id }) => live.put((await client.sandbox.extend(id, HALF_AN_HOUR)).toJSON()), 'Extended');
  const stop = (): Promise<void> => each(alive, ({ id }) => client.sandbox.stop(id), 'Stopped');
  const remove = async (): Promise<void> => {
    if (!(await confirm(`Delete ${rows.length} sandboxes and their files?`, 'Delete'))) return;
    await attempt(async () => {
      let failed = 0;
      for (let at = 0; at < rows.length; at += MOST_AT_ONCE) {
        const result = await client.sandbox.batchDelete(rows.slice(at, at + MOST_AT_ONCE).map(({ id }) => id));
        failed += result.failed.length;
      }
      toast(failed === 0 ? `Deleted ${rows.length}.` : `Deleted ${rows.length - failed}; ${failed} failed.`, failed === 0 ? 'good' : 'bad');
      done();
    });
  };
  return (
    <div class="bulk" role="region" aria-label="Selected sandboxes">
      <strong>{rows.length} selected</strong>
      <span class="grow" />
      <button type="button" class="mini" disabled={alive.length === 0} onClick={() => void extend()}>
        <Icon name="clock" /> Extend 30 min
      </button>
      <button type="button" class="mini" disabled={alive.length === 0} onClick={() => void stop()}>
        <Icon name="stop" /> Stop
      </button>
      <button type="button" class="mini danger" onClick={() => void remove()}>
        <Icon name="trash" /> Delete
      </button>
      <button type="button" class="quiet" onClick={done}>
        Clear
      </button>
    </div>
  );
}
