import type { SandboxInfo } from '@bivouac/sdk';
import type { ComponentChildren } from 'preact';
import { nearness } from '../parts/expiry.js';
import { attempt } from '../parts/feedback.js';
import { atTime, relative } from '../parts/words.js';
import { pathOf, type IconName } from './icons.js';

export function Icon({ name }: { name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" class="sign" aria-hidden="true">
      <path d={pathOf(name)} />
    </svg>
  );
}

export function StateMark({ sandbox }: { sandbox: Pick<SandboxInfo, 'state' | 'stopReason'> }) {
  const word = sandbox.state;
  return <span class={`state ${word}`}>{word}</span>;
}

/** A time as how long ago it was, or how soon it comes. Its text is kept up by `keepTime`, and is none of Preact's. */
export function When({ time, expiring = false }: { time: string; expiring?: boolean }) {
  const show = (element: HTMLTimeElement | null): void => {
    if (element !== null) element.textContent = relative(time);
  };
  return <time dateTime={time} title={atTime(time)} data-relative="" class={expiring ? `expires ${nearness(time)}` : ''} ref={show} />;
}

export function Card({ title, aside, children, class: names = '' }: { title: string; aside?: ComponentChildren; children: ComponentChildren; class?: string }) {
  return (
    <section class={`card ${names}`} aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

export function CopyButton({ text, name = 'Copy' }: { text: string; name?: string }) {
  return (
    <button type="button" class="quiet" onClick={() => void attempt(() => navigator.clipboard.writeText(text), 'Copied.')}>
      <Icon name="copy" /> {name}
    </button>
  );
}
