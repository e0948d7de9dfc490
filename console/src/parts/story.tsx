import type { BivouacEvent, CommandInfo, Timeline } from '@bivouac/sdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api.js';
import type { Live } from '../live.js';
import { client } from '../session.js';
import { useRepeat } from '../ui/mount.js';
import { Card, Icon } from '../ui/pieces.js';
import { wordsOf, type EventWords } from './event-words.js';
import type { EgressState } from './network.js';
import { atTime } from './words.js';

const COMMANDS_EVERY = 3_000;

/** What can be left out of the story. */
const KINDS = { all: 'All', sandbox: 'States', command: 'Commands', terminal: 'Terminals', permission: 'Approvals', network: 'Network' } as const;

type Kind = keyof typeof KINDS;

interface Moment extends EventWords {
  id: string;
  at: string;
  kindOf: Exclude<Kind, 'all'>;
  /** As programs call it. */
  type: string;
}

/** How long each phase of the last start took, by the answer to the create of this page; nothing tells it later. */
export const timelines = new Map<string, Timeline>();

/** All that happened in a sandbox, in one line, the newest first. */
export function Story({ id, live, running }: { id: string; live: Live; running: boolean }) {
  const [events, setEvents] = useState<ReadonlyMap<string, BivouacEvent>>(new Map());
  const [commands, setCommands] = useState<readonly CommandInfo[]>([]);
  const [blocked, setBlocked] = useState<EgressState['blocked']>([]);
  const [wanted, setWanted] = useState<Kind>('all');
  useEffect(() => {
    const add = (more: readonly BivouacEvent[]): void => setEvents((before) => new Map([...before, ...more.map((event) => [event.id, event] as const)]));
    const read = async (): Promise<void> => {
      const all: BivouacEvent[] = [];
      for await (const event of client.sandbox.history(id, { limit: 200 })) all.push(event);
      add(all);
    };
    void read().catch(() => undefined);
    return live.listen((event) => {
      if (event !== undefined && (event.subject === id || (event.data as { sandboxId?: string }).sandboxId === id)) add([event]);
    });
  }, [id]);
  useRepeat(
    COMMANDS_EVERY,
    async () => {
      if (!running) return;
      setCommands((await client.sandbox.reference(id).process.list()).items);
      setBlocked((await call<EgressState>('GET', `/sandboxes/${encodeURIComponent(id)}/egress`)).blocked);
    },
    [id, running],
  );
  const moments = [...[...events.values()].map(momentOf), ...commands.map(commandMoment), ...blocked.map(blockedMoment)];
  const present = new Set(moments.map(({ kindOf }) => kindOf));
  const shown = moments.filter(({ kindOf }) => wanted === 'all' || kindOf === wanted).sort((a, b) => b.at.localeCompare(a.at));
  const filters = (
    <div class="chips" role="group" aria-label="What is shown">
      {(Object.keys(KINDS) as Kind[]).filter((kind) => kind === 'all' || present.has(kind)).map((kind) => (
        <button key={kind} type="button" class="chip" aria-pressed={kind === wanted} onClick={() => setWanted(kind)}>
          {KINDS[kind]}
        </button>
      ))}
    </div>
  );
  const timeline = timelines.get(id);
  return (
    <Card title="Timeline" aside={filters}>
      <ol class="line-of-time" tabIndex={0} aria-label="What happened">
        {shown.map((moment) => (
          <li key={moment.id}>
            <span class={`knob ${moment.kind}-sign`}>
              <Icon name={moment.icon} />
            </span>
            <span class="said">
              {moment.text} {moment.detail !== undefined && <span class="dim">{moment.detail}</span>} <span class="type">{moment.type}</span>
              {moment.type === 'sandbox.running' && timeline !== undefined && <Phases timeline={timeline} />}
            </span>
            <time dateTime={moment.at} title={moment.at}>
              {atTime(moment.at)}
            </time>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function momentOf(event: BivouacEvent): Moment {
  const words = wordsOf(event);
  const family = event.type.split('.')[0] ?? '';
  return { ...words, text: words.text.replace(/^(was|is) /, '').replace(/^./, (letter) => letter.toUpperCase()), id: event.id, at: event.timestamp, type: event.type, kindOf: family === 'terminal' || family === 'permission' ? family : 'sandbox' };
}

function commandMoment({ commandId, command, startedAt, running, exitCode }: CommandInfo): Moment {
  const text = running ? 'Runs' : `Ran, exit ${exitCode}:`;
  return { icon: 'code', kind: running || exitCode === 0 ? 'good' : 'bad', text, detail: command, id: commandId, at: startedAt, type: 'command', kindOf: 'command' };
}

function blockedMoment({ host, program, at }: EgressState['blocked'][number]): Moment {
  return { icon: 'network', kind: 'bad', text: `Blocked ${host}`, detail: program, id: `${host} ${at}`, at, type: 'closed host', kindOf: 'network' };
}

/** Where the time of a start went. */
function Phases({ timeline: { queuedMs, runtimeMs, agentMs, warm } }: { timeline: Timeline }) {
  const parts = [
    ['queued', queuedMs],
    ['runtime', runtimeMs],
    ['agent', agentMs],
  ] as const;
  return (
    <>
      <span class="dim"> in {queuedMs + runtimeMs + agentMs} ms{warm ? ', started ahead' : ''}</span>
      <span class="phases">
        {parts.map(([name, took]) => (
          <Phase key={name} name={name} took={took} />
        ))}
      </span>
    </>
  );
}

function Phase({ name, took }: { name: string; took: number }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current?.style.setProperty('--share', String(Math.max(1, took))), [took]);
  return (
    <span ref={place} title={`${name}: ${took} ms`}>
      {name} {took} ms
    </span>
  );
}
