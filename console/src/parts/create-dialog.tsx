import type { CreateParams, Template } from '@bivouac/sdk';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { h as plain } from '../dom.js';
import { createAsCli, createAsCurl, createAsTypeScript } from '../sandboxes/snippets.js';
import { client } from '../session.js';
import { useRepeat } from '../ui/mount.js';
import { CopyButton } from '../ui/pieces.js';
import { attempt } from './feedback.js';
import { PRESET_WORDS, presets, type Preset } from './network.js';
import { timelines } from './story.js';

/** Read once; a dialog is open for a moment. */
const ONCE = 3_600_000;

/** In seconds. */
const LIFETIMES = [
  ['15 min', 900],
  ['1 h', 3600],
  ['8 h', 28_800],
  ['24 h', 86_400],
] as const;

/** Asks what to make, makes it and shows it. */
export function createDialog(): void {
  const dialog = plain('dialog', { class: 'create', aria: { label: 'New sandbox' } });
  dialog.addEventListener('close', () => {
    render(null, dialog);
    dialog.remove();
  });
  render(<CreateForm close={() => dialog.close()} />, dialog);
  document.body.append(dialog);
  dialog.showModal();
}

/** `KEY=value` in lines, blank ones left out. */
function pairs(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(lines.map((line) => [line.split('=', 1)[0] ?? '', line.includes('=') ? line.slice(line.indexOf('=') + 1) : '']));
}

function CreateForm({ close }: { close: () => void }) {
  const [templates, setTemplates] = useState<readonly Template[]>([]);
  const [known, setKnown] = useState<readonly Preset[]>([]);
  const [template, setTemplate] = useState('default');
  const [name, setName] = useState('');
  const [seconds, setSeconds] = useState(3600);
  const [envs, setEnvs] = useState('');
  const [labels, setLabels] = useState('');
  const [hosts, setHosts] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [resources, setResources] = useState({ cpu: '', memory: '', disk: '' });
  const [workspace, setWorkspace] = useState('');
  const [kept, setKept] = useState<ReadonlyArray<{ id: string; keptAt?: string }>>([]);
  const [making, setMaking] = useState(false);
  // Each by itself: presets are asked from the tools of the server's machine, which may take a moment.
  useRepeat(ONCE, async () => setTemplates(await client.templates.list()));
  useRepeat(ONCE, async () => setKnown((await presets()).filter(({ hosts: behind, from }) => from === 'public' || behind.length > 0)));
  useRepeat(ONCE, async () => setKept((await client.workspaces.list()).items));
  const allow = [...chosen, ...hosts.split(/[\s,]+/).filter((host) => host !== '')];
  const sizes = Object.fromEntries(Object.entries(resources).filter(([, value]) => value !== '').map(([key, value]) => [key, key === 'cpu' ? Number(value) : value]));
  const params: CreateParams = {
    template,
    timeoutSeconds: seconds,
    ...(name === '' ? {} : { name }),
    ...(pairs(envs) === undefined ? {} : { envs: pairs(envs) ?? {} }),
    ...(pairs(labels) === undefined ? {} : { labels: pairs(labels) ?? {} }),
    ...(allow.length === 0 ? {} : { egress: { allow } }),
    ...(Object.keys(sizes).length === 0 ? {} : { resources: sizes }),
    ...(workspace === '' ? {} : { workspace }),
  };
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    setMaking(true);
    const made = await attempt(() => client.sandbox.create(params));
    setMaking(false);
    if (made === undefined) return;
    const { timeline } = made.toJSON();
    if (timeline !== undefined) timelines.set(made.id, timeline);
    close();
    location.hash = `/sandboxes/${made.id}`;
  };
  const present = templates.find((one) => one.name === template);
  const resource = (key: keyof typeof resources, words: string, usual: string | undefined) => (
    <label>
      {words}
      <input value={resources[key]} placeholder={usual ?? ''} onInput={(event) => setResources({ ...resources, [key]: event.currentTarget.value })} />
    </label>
  );
  return (
    <form onSubmit={(event) => void create(event)}>
      <h2>New sandbox</h2>
      <label>
        Template
        <select value={template} onChange={(event) => setTemplate(event.currentTarget.value)}>
          {templates.length === 0 && <option value="default">default</option>}
          {templates.map((one) => (
            <option key={one.name} value={one.name} disabled={!one.available}>
              {one.available ? one.name : `${one.name} (not on this machine)`}
            </option>
          ))}
        </select>
      </label>
      {present !== undefined && <p class="dim">{`${present.description} ${present.cpu} CPU, ${present.memory} memory, ${present.disk} disk.`}</p>}
      <label>
        Name
        <input autofocus value={name} maxLength={128} placeholder="optional; it can be used in place of the id" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <fieldset>
        <legend>Lifetime</legend>
        <div class="chips">
          {LIFETIMES.map(([words, value]) => (
            <button key={value} type="button" class="chip" aria-pressed={value === seconds} onClick={() => setSeconds(value)}>
              {words}
            </button>
          ))}
          <label class="in-line">
            <input type="number" min="1" max="1440" required aria-label="Lifetime in minutes" value={Math.round(seconds / 60)} onInput={(event) => setSeconds(Number(event.currentTarget.value) * 60)} /> min
          </label>
        </div>
      </fieldset>
      <fieldset>
        <legend>Network</legend>
        <div class="chips">
          {known.map((one) => (
            <button key={one.name} type="button" class="chip" title={one.hosts.join(', ')} aria-pressed={chosen.includes(one.name)} onClick={() => setChosen(chosen.includes(one.name) ? chosen.filter((other) => other !== one.name) : [...chosen, one.name])}>
              {one.name} <b>{PRESET_WORDS[one.name] ?? ''}</b>
            </button>
          ))}
        </div>
        <input class="mono" aria-label="Hosts to allow" placeholder="more hosts: example.org, *.example.org:8443" value={hosts} onInput={(event) => setHosts(event.currentTarget.value)} />
        <span class="dim">{allow.length === 0 ? 'No host is reachable. Others are asked for here while somebody looks.' : `${allow.length} allowed; others are asked for.`}</span>
      </fieldset>
      <details>
        <summary>Resources, variables, labels, workspace</summary>
        <div class="three">
          {resource('cpu', 'CPU', present === undefined ? undefined : String(present.cpu))}
          {resource('memory', 'Memory', present?.memory)}
          {resource('disk', 'Disk', present?.disk)}
        </div>
        <label>
          Variables
          <textarea class="mono" rows={2} placeholder="KEY=value, one a line" value={envs} onInput={(event) => setEnvs(event.currentTarget.value)} />
        </label>
        <label>
          Labels
          <textarea class="mono" rows={2} placeholder="team=a, one a line" value={labels} onInput={(event) => setLabels(event.currentTarget.value)} />
        </label>
        {kept.length > 0 && (
          <label>
            Kept workspace
            <select value={workspace} onChange={(event) => setWorkspace(event.currentTarget.value)}>
              <option value="">a new one</option>
              {kept.map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
            </select>
          </label>
        )}
      </details>
      <div class="row end">
        <CopyButton name="curl" text={createAsCurl(params)} />
        <CopyButton name="CLI" text={createAsCli(params)} />
        <CopyButton name="TypeScript" text={createAsTypeScript(params)} />
        <span class="grow" />
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={making}>
          {making ? 'Starting…' : 'Create'}
        </button>
      </div>
    </form>
  );
}
