import type { Checkup, SystemStats } from '@bivouac/sdk';
import { useState } from 'preact/hooks';
import type { Live } from '../live.js';
import { h } from '../dom.js';
import { Chart } from '../parts/chart.js';
import type { UsageHistory } from '../parts/usage-history.js';
import { bytes, relative } from '../parts/words.js';
import { client } from '../session.js';
import type { OnLeave } from '../parts/repeat.js';
import { Plain, useRepeat } from '../ui/mount.js';
import { Card, Icon } from '../ui/pieces.js';

const STATS_EVERY = 3_000;
const CHECKS_EVERY = 60_000;

/** What the sandboxes that are followed use together. */
function sumChart(usage: UsageHistory, onLeave: OnLeave): HTMLElement {
  const cpu = new Chart('CPU of running sandboxes', (value) => `${value.toFixed(2)} CPU`);
  const memory = new Chart('Memory of running sandboxes', bytes, [{ name: 'Memory', colour: '--info' }]);
  const times: number[] = [];
  const cores: number[] = [];
  const used: number[] = [];
  const show = (): void => {
    const now = usage.followed().flatMap((id) => usage.latest(id) ?? []);
    times.push(Date.now() / 1000);
    cores.push(now.reduce((sum, { cpu: { usage: one } }) => sum + one, 0));
    used.push(now.reduce((sum, { memory: { usage: one } }) => sum + one, 0));
    cpu.show([times, cores], `${(cores.at(-1) ?? 0).toFixed(2)} CPU`);
    memory.show([times, used], bytes(used.at(-1) ?? 0));
  };
  onLeave(usage.listen(show));
  onLeave(() => [cpu, memory].forEach((chart) => chart.close()));
  show();
  return h('div', {}, cpu.element, memory.element);
}

export function Host({ usage, live, system }: { usage: UsageHistory; live: Live; system: boolean }) {
  const [stats, setStats] = useState<SystemStats>();
  useRepeat(STATS_EVERY, async () => system && setStats(await client.system.stats()), [system]);
  const running = [...live.sandboxes.values()].filter(({ state }) => state === 'running').length;
  return (
    <Card title="Usage" aside={<span class="dim">{running} running</span>}>
      <Plain make={(onLeave) => sumChart(usage, onLeave)} />
      {stats !== undefined && (
        <dl class="facts">
          <Fact name="Disk free" value={stats.disk.totalBytes === 0 ? '–' : `${bytes(stats.disk.freeBytes)} of ${bytes(stats.disk.totalBytes)}`} />
          <Fact name="Event backlog" value={stats.outbox.unpublished === 0 ? 'none' : `${stats.outbox.unpublished}`} />
          <Fact name="Server heap" value={bytes(stats.server.heapBytes)} />
          <Fact name="Processors" value={String(stats.server.processors)} />
          <Fact name="Started" value={relative(new Date(Date.now() - stats.server.uptimeSeconds * 1000).toISOString())} />
          <Fact name="Runtime" value={stats.runtime.name} />
        </dl>
      )}
    </Card>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Whether the server is ready, and what its own checks found. */
export function Health({ system }: { system: boolean }) {
  const [ready, setReady] = useState<boolean>();
  const [checkup, setCheckup] = useState<Checkup>();
  useRepeat(STATS_EVERY, async () => setReady((await fetch('/ready')).ok));
  useRepeat(CHECKS_EVERY, async () => setCheckup(await client.system.doctor()));
  const wrong = checkup?.checks.filter(({ ok }) => !ok) ?? [];
  const fine = (checkup?.checks.length ?? 0) - wrong.length;
  return (
    <Card title="Health" aside={system && <a href="#/system">Details</a>}>
      <ul class="health">
        {ready !== undefined && <Line ok={ready} text={ready ? 'The server is ready' : 'The server is not ready'} />}
        {checkup !== undefined && fine > 0 && <Line ok text={`${fine} ${fine === 1 ? 'check' : 'checks'} passed`} />}
        {wrong.map(({ name, seen }) => (
          <Line key={name} ok={false} text={`${name}: ${seen}`} />
        ))}
      </ul>
    </Card>
  );
}

function Line({ ok, text }: { ok: boolean; text: string }) {
  return (
    <li>
      <span class={ok ? 'good-sign' : 'warn-sign'}>
        <Icon name={ok ? 'check' : 'alert'} />
      </span>
      {text}
    </li>
  );
}
