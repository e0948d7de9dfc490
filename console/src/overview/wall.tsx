import type { SandboxInfo, TerminalInfo } from '@bivouac/sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { nameOfSandbox } from '../parts/sandbox-head.js';
import type { UsageHistory } from '../parts/usage-history.js';
import { bytes } from '../parts/words.js';
import { client } from '../session.js';
import { useRepeat } from '../ui/mount.js';
import { Icon, When } from '../ui/pieces.js';

const EVERY = 4_000;

/** Cards at once, and of these how many terminals are followed. */
const SHOWN = 12;
const SCREENS = 6;
const LINES = 12;
const KEPT_TEXT = 4_000;

/** The sandboxes that run, each with what can be seen of it: the screen of a terminal, or its last command. */
export function Wall({ running, usage }: { running: readonly SandboxInfo[]; usage: UsageHistory }) {
  const [terminals, setTerminals] = useState<TerminalInfo[]>([]);
  useRepeat(EVERY, async () => setTerminals((await client.terminals.list({ limit: 100 })).items));
  const [, redraw] = useState(0);
  useEffect(() => usage.listen(() => redraw((count) => count + 1)), [usage]);
  const visible = new Map<string, TerminalInfo>();
  for (const one of terminals) if (!one.sealed && one.id.startsWith('pty-') && !visible.has(one.sandboxId)) visible.set(one.sandboxId, one);
  const screens = running.filter(({ id }) => visible.has(id)).slice(0, SCREENS);
  return (
    <ul class="wall" aria-label="Running sandboxes">
      {running.slice(0, SHOWN).map((row) => (
        <Tile key={row.id} row={row} usage={usage} terminal={screens.includes(row) ? visible.get(row.id) : undefined} />
      ))}
    </ul>
  );
}

function Tile({ row, usage, terminal }: { row: SandboxInfo; usage: UsageHistory; terminal: TerminalInfo | undefined }) {
  const used = usage.latest(row.id);
  return (
    <li>
      <header>
        <span class="good-sign">
          <Icon name="sandboxes" />
        </span>
        <a href={`#/sandboxes/${row.id}`}>{nameOfSandbox(row)}</a>
        <span class="dim">
          {row.template} · <When time={row.expiresAt} expiring />
        </span>
      </header>
      <a class="thumb" href={`#/sandboxes/${row.id}${terminal === undefined ? '' : `/terminal/${terminal.id}`}`} aria-label={terminal === undefined ? `Open ${nameOfSandbox(row)}` : `Attach to ${terminal.command} in ${nameOfSandbox(row)}`}>
        {terminal === undefined ? <LastCommand id={row.id} /> : <LiveScreen key={terminal.id} sandboxId={row.id} terminalId={terminal.id} />}
      </a>
      <footer>
        <Bar name="CPU" used={used?.cpu.usage} limit={used?.cpu.limit} words={used === undefined ? '–' : used.cpu.usage.toFixed(2)} />
        <Bar name="Mem" used={used?.memory.usage} limit={used?.memory.limit} words={used === undefined ? '–' : bytes(used.memory.usage)} />
      </footer>
    </li>
  );
}

function Bar({ name, used = 0, limit = 0, words }: { name: string; used: number | undefined; limit: number | undefined; words: string }) {
  const part = limit > 0 ? Math.min(100, (used / limit) * 100) : 0;
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.style.setProperty('--part', part.toFixed(1)), [part]);
  return (
    <span class={part > 90 ? 'bar full' : 'bar'}>
      {name}
      <i ref={place} />
      {words}
    </span>
  );
}

/** The screen of a terminal as it is, small. What draws it is fetched when there is one. */
function LiveScreen({ sandboxId, terminalId }: { sandboxId: string; terminalId: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const leaving = new AbortController();
    void import('./live-screen.js').then(({ follow }) => {
      if (place.current !== null && !leaving.signal.aborted) return follow(place.current, sandboxId, terminalId, leaving.signal);
    }).catch(() => undefined);
    return () => leaving.abort(new Error('The overview was left.'));
  }, [terminalId]);
  return <div class="live-screen" aria-hidden="true" ref={place} />;
}

/** The newest command and the end of what it said. */
function LastCommand({ id }: { id: string }) {
  const [shown, setShown] = useState<{ command: string; output: string }>();
  useRepeat(EVERY, async () => {
    const { process } = client.sandbox.reference(id);
    const newest = (await process.list()).items.sort((a, b) => b.startedAt.localeCompare(a.startedAt))[0];
    if (newest === undefined) return;
    setShown({ command: newest.command, output: await tail(id, newest.commandId, newest.running) });
  }, [id]);
  if (shown === undefined) return <span class="none">no terminal, no command yet</span>;
  return (
    <pre>
      <span class="prompt-line">$ {shown.command}</span>
      {`\n${shown.output}`}
    </pre>
  );
}

/** What is there of a command's output by now; one that runs is left when it has said nothing for a moment. */
async function tail(id: string, commandId: string, running: boolean): Promise<string> {
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(new Error('Enough was read.')), running ? 600 : EVERY);
  let text = '';
  try {
    for await (const event of client.sandbox.reference(id).process.output(commandId, { signal: leaving.signal })) {
      if (event.type === 'stdout' || event.type === 'stderr') text = (text + event.data).slice(-KEPT_TEXT);
    }
  } catch (failure) {
    if (!leaving.signal.aborted) throw failure;
  } finally {
    clearTimeout(timer);
  }
  return text.trimEnd().split('\n').slice(-LINES).join('\n');
}
