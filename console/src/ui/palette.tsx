import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { h as plain } from '../dom.js';
import type { Live } from '../live.js';
import { mayChange } from '../page.js';
import { createDialog } from '../parts/create-dialog.js';
import { extend, isAlive } from '../parts/expiry.js';
import { attempt } from '../parts/feedback.js';
import { nameOfSandbox } from '../parts/sandbox-head.js';
import type { Session } from '../session.js';
import type { IconName } from './icons.js';
import { Icon } from './pieces.js';
import { shortcutsDialog } from './shortcuts.js';
import { setTheme, THEMES } from './theme.js';

const SHOWN = 40;

interface Entry {
  name: string;
  hint: string;
  icon: IconName;
  act: () => unknown;
}

/** Goes anywhere and does anything by name: Ctrl-K or ⌘K. */
export function palette(live: Live, session: Session): { open: () => void } {
  const open = (): void => {
    if (document.querySelector('dialog[open]') !== null) return;
    const dialog = plain('dialog', { class: 'palette', aria: { label: 'Go to' } });
    dialog.addEventListener('close', () => {
      render(null, dialog);
      dialog.remove();
    });
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    render(<Palette entries={entriesOf(live, session)} close={() => dialog.close()} />, dialog);
    document.body.append(dialog);
    dialog.showModal();
  };
  addEventListener('keydown', (event) => {
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    // Ctrl-K in a terminal or an editor is the program's.
    const typing = target.closest('.xterm, .cm-editor') !== null;
    if (event.key.toLowerCase() === 'k' && !event.shiftKey && !event.altKey && (event.metaKey || (event.ctrlKey && !typing))) {
      event.preventDefault();
      open();
    } else if (event.key === '?' && !typing && target.closest('input, textarea, select, [contenteditable], dialog') === null) {
      event.preventDefault();
      shortcutsDialog();
    }
  });
  return { open };
}

function entriesOf(live: Live, session: Session): Entry[] {
  const go = (to: string) => (): void => void (location.hash = to);
  const changing = mayChange(session);
  const here = live.sandboxes.get(/^#\/sandboxes\/([^/]+)/.exec(location.hash)?.[1] ?? '');
  const entry = (name: string, hint: string, icon: IconName, act: Entry['act']): Entry => ({ name, hint, icon, act });
  const page = (name: string, icon: IconName, to: string): Entry => entry(name, 'page', icon, go(to));
  const ofHere: Entry[] = here === undefined ? [] : [
    entry(`Open a terminal in ${nameOfSandbox(here)}`, 'this sandbox', 'terminal', go(`/sandboxes/${here.id}/terminal`)),
    entry(`Files of ${nameOfSandbox(here)}`, 'this sandbox', 'files', go(`/sandboxes/${here.id}/files`)),
    entry(`Code in ${nameOfSandbox(here)}`, 'this sandbox', 'code', go(`/sandboxes/${here.id}/code`)),
    entry('Copy its id', here.id, 'copy', () => attempt(() => navigator.clipboard.writeText(here.id), 'Copied.')),
    ...(changing && isAlive(here) ? [entry(`Extend ${nameOfSandbox(here)} by 30 min`, 'this sandbox', 'clock', () => extend(live, here.id))] : []),
  ];
  const pages: Entry[] = [
    ...(changing ? [entry('New sandbox', 'create', 'plus', () => createDialog())] : []),
    page('Overview', 'overview', '/'),
    page('Sandboxes', 'sandboxes', '/sandboxes'),
    page('Recordings', 'recordings', '/recordings'),
    page('Templates', 'templates', '/templates'),
    page('Webhooks', 'webhooks', '/webhooks'),
    ...(session.role === 'admin' ? [page('Keys', 'keys', '/keys'), page('Audit', 'audit', '/audit')] : []),
    ...(session.system ? [page('System', 'system', '/system')] : []),
    entry('Keyboard shortcuts', '?', 'book', shortcutsDialog),
    ...THEMES.map((theme) => entry(`Theme: ${theme}`, 'appearance', 'overview', () => setTheme(theme))),
  ];
  const sandboxes = [...live.sandboxes.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  const found = sandboxes.flatMap((row): Entry[] => {
    const labels = Object.entries(row.labels).map((pair) => pair.join('=')).join(' ');
    const hint = [row.state, row.template, labels].filter((text) => text !== '').join(' · ');
    return [
      entry(nameOfSandbox(row), hint, 'sandboxes', go(`/sandboxes/${row.id}`)),
      ...(row.state === 'running' && changing ? [entry(`Terminal: ${nameOfSandbox(row)}`, row.template, 'terminal', go(`/sandboxes/${row.id}/terminal`))] : []),
    ];
  });
  return [...ofHere, ...pages, ...found];
}

function Palette({ entries, close }: { entries: Entry[]; close: () => void }) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const found = entries.filter(({ name, hint }) => wanted.every((word) => `${name} ${hint}`.toLowerCase().includes(word))).slice(0, SHOWN);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  const take = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    close();
    entry.act();
  };
  const key = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') take(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at}`}
        aria-label="Go to a sandbox, a page or an action"
        placeholder="Go to a sandbox, a page or an action…"
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={key}
      />
      <ul role="listbox" id="palette-list" aria-label="Found" ref={list}>
        {found.map((entry, index) => (
          <li key={`${entry.name} ${entry.hint}`} role="option" id={`palette-${index}`} aria-selected={index === at} onMouseMove={() => setAt(index)} onClick={() => take(entry)}>
            <Icon name={entry.icon} /> {entry.name} <span class="dim">{entry.hint}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="none">Nothing fits.</p>}
    </>
  );
}
