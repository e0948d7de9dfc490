import { useState } from 'preact/hooks';
import { mayChange, type Setting } from '../page.js';
import { attempt } from '../parts/feedback.js';
import { client } from '../session.js';
import { CopyButton, Icon } from '../ui/pieces.js';
import { createAsCli, createAsCurl, createAsTypeScript } from './snippets.js';

const WAYS = { Shell: createAsCli, TypeScript: createAsTypeScript, curl: createAsCurl } as const;

/** What stands where sandboxes would be: how to make the first one, here or by program. */
export function Welcome({ setting: { session, live } }: { setting: Setting }) {
  const [way, setWay] = useState<keyof typeof WAYS>('Shell');
  const [making, setMaking] = useState(false);
  const text = WAYS[way]({ template: 'default' });
  const did = (type: string): boolean => live.recent.some((event) => event.type === type);
  const make = async (): Promise<void> => {
    setMaking(true);
    const made = await attempt(() => client.sandbox.create({ name: 'first' }));
    setMaking(false);
    if (made !== undefined) location.hash = `/sandboxes/${made.id}/terminal`;
  };
  return (
    <section class="welcome">
      <p class="welcome-title">No sandboxes yet.</p>
      <p>A sandbox is a Linux machine of its own for an agent or a program: it starts in well under a second, has its own files and no network until you allow it, and ends by itself.</p>
      {mayChange(session) && (
        <div class="row">
          <button type="button" class="primary" disabled={making} onClick={() => void make()}>
            <Icon name="terminal" /> {making ? 'Starting…' : 'Start your first one'}
          </button>
          <span class="dim">or from a program:</span>
        </div>
      )}
      <div class="card">
        <div class="segments" role="tablist" aria-label="Language">
          {(Object.keys(WAYS) as Array<keyof typeof WAYS>).map((one) => (
            <button key={one} type="button" role="tab" aria-selected={one === way} onClick={() => setWay(one)}>
              {one}
            </button>
          ))}
        </div>
        <div class="snippet">
          <pre tabIndex={0}>{text}</pre>
        </div>
        <CopyButton text={text} />
        <p class="dim">A key for it is made under Keys, by an administrator.</p>
      </div>
      <ul class="steps">
        {[
          ['sandbox.created', 'Create a sandbox'],
          ['sandbox.running', 'See it run'],
          ['terminal.started', 'Open a terminal'],
        ].map(([type = '', words]) => (
          <li key={type}>
            <Icon name={did(type) ? 'check' : 'clock'} /> {words}
          </li>
        ))}
      </ul>
    </section>
  );
}
