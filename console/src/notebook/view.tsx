import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt } from '../parts/feedback.js';
import { Icon } from '../ui/pieces.js';
import type { Cell } from './cells.js';
import { Editor } from './editor.js';
import { fromIpynb, toIpynb } from './ipynb.js';
import { LANGUAGES, type Language } from './kernel.js';
import type { Notebook } from './notebook.js';
import { Outputs } from './outputs.js';

/** Cells of code with what they showed, and the sessions that they run in. */
export function NotebookView({ notebook, name, changing }: { notebook: Notebook; name: string; changing: boolean }) {
  const [, redraw] = useState(0);
  const [focused, setFocused] = useState<number>();
  useEffect(() => notebook.listen(() => redraw((count) => count + 1)), [notebook]);
  useEffect(() => void notebook.readSessions().catch(() => undefined), [notebook]);
  const run = (key: number, next: boolean): void => {
    if (!changing) return;
    notebook.run([key]);
    if (!next) return;
    const following = notebook.cells[notebook.cells.findIndex((cell) => cell.key === key) + 1];
    setFocused(following?.key ?? notebook.add(key));
  };
  return (
    <div class="notebook">
      <Toolbar notebook={notebook} name={name} changing={changing} />
      {notebook.cells.map((cell, index) => (
        <CellView key={cell.key} cell={cell} at={index + 1} notebook={notebook} changing={changing} focused={cell.key === focused} run={(next) => run(cell.key, next)} />
      ))}
      <button type="button" class="add-cell" onClick={() => setFocused(notebook.add(undefined))}>
        <Icon name="plus" /> Add a cell
      </button>
    </div>
  );
}

function Toolbar({ notebook, name, changing }: { notebook: Notebook; name: string; changing: boolean }) {
  const file = useRef<HTMLInputElement>(null);
  const { language } = notebook;
  const mine = notebook.sessions.filter((session) => session.language === language);
  const chosen = notebook.chosen.get(language) ?? '';
  const choose = (id: string): void => {
    if (id === 'new') {
      void attempt(async () => {
        const made = await notebook.kernel.create(language);
        notebook.chosen.set(language, made.id);
        await notebook.readSessions();
      }, 'A new session is there.');
      return;
    }
    if (id === '') notebook.chosen.delete(language);
    else notebook.chosen.set(language, id);
    notebook.set(notebook.cells);
  };
  const restart = (): void => {
    const id = chosen === '' ? mine[0]?.id : chosen;
    if (id !== undefined) void attempt(() => notebook.kernel.restart(id), 'Restarted; the variables are gone.');
  };
  const load = async (): Promise<void> => {
    const picked = file.current?.files?.[0];
    if (picked === undefined) return;
    await attempt(async () => notebook.set(fromIpynb(await picked.text())));
  };
  return (
    <div class="row notebook-tools" role="toolbar" aria-label="Notebook">
      <select aria-label="Language" value={language} onChange={(event) => {
        notebook.language = event.currentTarget.value as Language;
        // A notebook that was not written in yet changes with it.
        notebook.set(notebook.cells.map((cell) => (cell.source === '' ? { ...cell, language: notebook.language } : cell)));
      }}>
        {LANGUAGES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <select aria-label="Session" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">usual session</option>
        {mine.map(({ id, state }) => (
          <option key={id} value={id}>{`…${id.slice(-6)} (${state})`}</option>
        ))}
        <option value="new">New session…</option>
      </select>
      {changing && (
        <>
          <button type="button" class="mini" onClick={() => notebook.run(notebook.cells.map(({ key }) => key))}>
            <Icon name="play" /> Run all
          </button>
          <button type="button" class="mini" disabled={!notebook.isBusy} onClick={() => void attempt(() => notebook.interrupt())}>
            <Icon name="stop" /> Interrupt
          </button>
          <button type="button" class="mini" disabled={mine.length === 0} onClick={restart}>
            Restart session
          </button>
        </>
      )}
      <span class="grow" />
      <input type="file" accept=".ipynb" ref={file} class="hidden" aria-label="Notebook file" tabIndex={-1} onChange={() => void load()} />
      <button type="button" class="mini" onClick={() => file.current?.click()}>
        Open .ipynb
      </button>
      <button type="button" class="mini" onClick={() => save(`${name}.ipynb`, toIpynb(notebook.cells))}>
        Save as .ipynb
      </button>
    </div>
  );
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ipynb+json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  URL.revokeObjectURL(url);
}

interface CellProperties {
  cell: Cell;
  at: number;
  notebook: Notebook;
  changing: boolean;
  focused: boolean;
  run: (next: boolean) => void;
}

function CellView({ cell, at, notebook, changing, focused, run }: CellProperties) {
  const busy = cell.state === 'running' || cell.state === 'waiting';
  return (
    <section class={`cell ${cell.state}`} aria-label={`Cell ${at}`}>
      <header class="row">
        <span class="dim mono">[{busy ? '*' : (cell.count ?? ' ')}]</span>
        <select aria-label={`Language of cell ${at}`} value={cell.language} disabled={busy} onChange={(event) => notebook.change(cell.key, { language: event.currentTarget.value as Language })}>
          {LANGUAGES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <span class="grow dim" role="status">
          {cell.state === 'waiting' && 'waits'}
          {cell.state === 'running' && 'running…'}
          {cell.tookMs !== undefined && `${cell.state === 'failed' ? 'failed' : 'done'} in ${cell.tookMs} ms`}
          {cell.note !== undefined && `; ${cell.note}`}
        </span>
        {changing && (
          <button type="button" class="only-sign" disabled={busy} title="Run (Ctrl-Enter; Shift-Enter goes on to the next)" aria-label={`Run cell ${at}`} onClick={() => run(false)}>
            <Icon name="play" />
          </button>
        )}
        <button type="button" class="only-sign" disabled={busy} title="Remove" aria-label={`Remove cell ${at}`} onClick={() => notebook.remove(cell.key)}>
          <Icon name="trash" />
        </button>
      </header>
      <Editor label={`Code of cell ${at}`} source={cell.source} language={cell.language} focused={focused} change={(source) => notebook.change(cell.key, { source })} run={run} />
      {cell.outputs.length > 0 && <Outputs outputs={cell.outputs} />}
    </section>
  );
}
