import { useState } from 'preact/hooks';
import { call } from '../api.js';
import { Icon, When, Card } from '../ui/pieces.js';
import { useRepeat } from '../ui/mount.js';
import { attempt } from './feedback.js';

const EVERY = 3_000;

/** What a sandbox may reach, and what it was refused last. */
export interface EgressState {
  allow: string[];
  ask: boolean;
  blocked: Array<{ host: string; program?: string; at: string }>;
}

export interface Preset {
  name: string;
  hosts: string[];
  from: 'tool' | 'operator' | 'public';
}

export const PRESET_WORDS: Record<string, string> = { '@public': 'every public address', '@pip': 'Python packages', '@npm': 'Node packages', '@apt': 'Debian packages', '@cargo': 'Rust crates', '@go': 'Go modules', '@maven': 'Java packages' };

export function presets(): Promise<Preset[]> {
  return call<{ items: Preset[] }>('GET', '/egress/presets').then(({ items }) => items);
}

/** The hosts of one sandbox: allowed ones as chips, presets to add, and what was blocked just now with a button that allows it. */
export function NetworkCard({ id, changing }: { id: string; changing: boolean }) {
  const [egress, setEgress] = useState<EgressState>();
  const [known, setKnown] = useState<Preset[]>([]);
  const [host, setHost] = useState('');
  const path = `/sandboxes/${encodeURIComponent(id)}/egress`;
  useRepeat(EVERY, async () => setEgress(await call<EgressState>('GET', path)), [id]);
  useRepeat(600_000, async () => setKnown(await presets()), []);
  if (egress === undefined) return <Card title="Network">Loading…</Card>;
  const change = (allow: string[], done: string, ask = egress.ask): Promise<unknown> =>
    attempt(async () => {
      await call('PUT', path, { allow, ask });
      setEgress({ allow, ask, blocked: egress.blocked.filter((one) => !allow.includes(one.host)) });
    }, done);
  const allow = (name: string): Promise<unknown> => change([...egress.allow, name], `${name} is allowed.`);
  const add = (event: Event): void => {
    event.preventDefault();
    void allow(host.trim()).then(() => setHost(''));
  };
  const missing = known.filter(({ name, hosts, from }) => !egress.allow.includes(name) && (from === 'public' || hosts.length > 0));
  return (
    <Card title="Network" aside={<span class="dim">{egress.allow.length === 0 ? 'Blocked: no host is allowed' : `${egress.allow.length} allowed`}</span>}>
      <ul class="chips" aria-label="Allowed hosts">
        {egress.allow.map((name) => (
          <li key={name} class="chip mono">
            <span title={PRESET_WORDS[name] ?? ''}>{name}</span>
            {changing && (
              <button type="button" aria-label={`Remove ${name}`} onClick={() => void change(egress.allow.filter((one) => one !== name), `${name} is closed.`)}>
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {changing && (
        <form class="row tools" onSubmit={add}>
          <input class="grow mono" required placeholder="example.org or *.example.org:8443" aria-label="Host to allow" value={host} onInput={(event) => setHost(event.currentTarget.value)} />
          <button type="submit">Allow</button>
        </form>
      )}
      {changing && missing.length > 0 && (
        <div class="chips tools" role="group" aria-label="Presets">
          {missing.map(({ name, hosts }) => (
            <button key={name} type="button" class="chip" title={hosts.join(', ')} onClick={() => void allow(name)}>
              <Icon name="plus" /> {name} <b>{PRESET_WORDS[name] ?? ''}</b>
            </button>
          ))}
        </div>
      )}
      {egress.blocked.length > 0 && (
        <ul class="blocked" aria-label="Blocked just now">
          {egress.blocked.map((one) => (
            <li key={one.host} class="row">
              <span class="bad">
                <Icon name="alert" />
              </span>
              <span class="grow">
                Blocked: <code>{one.host}</code> <span class="dim">{one.program}</span> <When time={one.at} />
              </span>
              {changing && (
                <button type="button" class="mini" onClick={() => void allow(one.host)}>
                  Allow<span class="hidden"> {one.host}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {changing && (
        <label class="check-line">
          <input type="checkbox" checked={egress.ask} onChange={(event) => void change(egress.allow, event.currentTarget.checked ? 'Other hosts are asked for.' : 'Other hosts are refused at once.', event.currentTarget.checked)} />
          Ask here when a program wants to reach another host
        </label>
      )}
    </Card>
  );
}
