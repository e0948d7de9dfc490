import type { Permission } from '@bivouac/sdk';
import { useEffect, useState } from 'preact/hooks';
import type { Live } from '../live.js';
import { attempt } from '../parts/feedback.js';
import { nameOfCaller } from '../parts/names.js';
import { nameOfSandbox } from '../parts/sandbox-head.js';
import { client } from '../session.js';
import { Card, When } from '../ui/pieces.js';

const SHOWN = 8;

/** What programs asked to be allowed: open ones first, then answered ones, with what a lasting yes still covers. */
export function Inbox({ live, changing }: { live: Live; changing: boolean }) {
  const [items, setItems] = useState<Permission[]>([]);
  const read = async (): Promise<void> => setItems((await client.permissions.list({ limit: SHOWN })).items);
  useEffect(() => {
    void read().catch(() => undefined);
    return live.listen((event) => {
      if (event?.type.startsWith('permission.') === true) void read().catch(() => undefined);
    });
  }, [live]);
  const rank = ({ state }: Permission): number => (state === 'open' ? 0 : 1);
  const shown = [...items].sort((a, b) => rank(a) - rank(b));
  const open = items.filter(({ state }) => state === 'open').length;
  return (
    <Card title="Permissions" aside={<span class="dim">{open === 0 ? 'none waits' : `${open} waiting`}</span>}>
      {shown.length === 0 && <p class="dim">No program has asked for anything. What agents ask to be allowed appears here, and on every page.</p>}
      <ul class="inbox">
        {shown.map((item) => (
          <li key={item.id} class={item.state === 'open' ? '' : 'over'}>
            <span>
              <strong>{nameOf(live, item.sandboxId)}</strong> wants to: {item.action} <code>{item.resource}</code>
            </span>
            {item.state === 'open' ? <Answers item={item} changing={changing} /> : <Answered item={item} changing={changing} read={read} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function nameOf(live: Live, id: string): string {
  const sandbox = live.sandboxes.get(id);
  return sandbox === undefined ? `…${id.slice(-6)}` : nameOfSandbox(sandbox);
}

function Answers({ item, changing }: { item: Permission; changing: boolean }) {
  const answer = (granted: boolean): void => void attempt(() => client.permissions.answer(item.id, { granted }), granted ? 'Allowed once.' : 'Denied.');
  if (!changing) return <span class="dim">waits for an answer</span>;
  return (
    <span class="row">
      <button type="button" class="mini primary" onClick={() => answer(true)}>
        Allow
      </button>
      <button type="button" class="mini danger" onClick={() => answer(false)}>
        Deny
      </button>
    </span>
  );
}

function Answered({ item, changing, read }: { item: Permission; changing: boolean; read: () => Promise<void> }) {
  const lasts = item.grantedUntil !== undefined && Date.parse(item.grantedUntil) > Date.now();
  return (
    <span class="row dim">
      <span class="grow">
        {item.state}
        {item.decidedBy !== undefined && ` by ${nameOfCaller(item.decidedBy)}`} <When time={item.decidedAt ?? item.createdAt} />
        {lasts && item.grantedUntil !== undefined && (
          <>
            , holds until <When time={item.grantedUntil} />
          </>
        )}
      </span>
      {lasts && changing && (
        <button type="button" class="mini" onClick={() => void attempt(() => client.permissions.revoke(item.id), 'Revoked.').then(read)}>
          Revoke
        </button>
      )}
    </span>
  );
}
