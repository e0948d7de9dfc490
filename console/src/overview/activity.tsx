import type { BivouacEvent } from '@bivouac/sdk';
import { useEffect } from 'preact/hooks';
import type { Live } from '../live.js';
import { wordsOf } from '../parts/event-words.js';
import { nameOfSandbox } from '../parts/sandbox-head.js';
import { client } from '../session.js';
import { Card, Icon, When } from '../ui/pieces.js';

const SHOWN = 40;
const READ_OF = 6;

/** Of little interest among many sandboxes. */
const NOISE = new Set(['agent.connected', 'agent.disconnected', 'sandbox.starting', 'sandbox.expired']);

/** What happened last, in all sandboxes. */
export function Activity({ live }: { live: Live }) {
  const isLive = live.line === 'live';
  useEffect(() => {
    if (isLive) void readNewest(live);
  }, [isLive]);
  const events = live.recent.filter(({ type }) => !NOISE.has(type)).slice(0, SHOWN);
  return (
    <Card title="Activity">
      {events.length === 0 && <p class="dim">Nothing happened yet.</p>}
      <ul class="feed" tabIndex={0} aria-label="What happened">
        {events.map((event) => (
          <Entry key={event.id} event={event} live={live} />
        ))}
      </ul>
    </Card>
  );
}

function Entry({ event, live }: { event: BivouacEvent; live: Live }) {
  const { icon, kind, text, detail } = wordsOf(event);
  const sandbox = live.sandboxes.get(event.subject);
  const name = sandbox === undefined ? ((event.data as { name?: string }).name ?? `…${event.subject.slice(-6)}`) : nameOfSandbox(sandbox);
  return (
    <li>
      <span class={`${kind}-sign`}>
        <Icon name={icon} />
      </span>
      <span title={detail ?? ''}>
        {sandbox === undefined ? name : <a href={`#/sandboxes/${sandbox.id}`}>{name}</a>} {text}
      </span>
      <span class="dim">
        <When time={event.timestamp} />
      </span>
    </li>
  );
}

/** The stream tells what happens from now on; the newest sandboxes' own events say what was before. */
async function readNewest(live: Live): Promise<void> {
  const newest = [...live.sandboxes.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, READ_OF);
  const events = await Promise.all(newest.map(async ({ id }) => (await client.sandbox.history(id, { limit: 100 })).items.slice(-20)).map((one) => one.catch(() => [])));
  if (events.some((some) => some.length > 0)) live.remember(events.flat());
}
