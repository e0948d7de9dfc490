import type { CommandInfo, ProcessService } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import { client } from '../session.js';
import { attempt } from './feedback.js';
import { repeat, type OnLeave } from './repeat.js';
import { Table } from './table.js';
import { when } from './when.js';

const EVERY = 3_000;

/** What is shown of a command's output; the rest is for programs. */
const MOST_SHOWN = 256 * 1024;

/** What runs in a sandbox and ran lately, with its output; and running something. */
export function commandsPart(id: string, changing: boolean, onLeave: OnLeave): HTMLElement {
  const { process } = client.sandbox.reference(id);
  const table = new Table<CommandInfo>(
    [
      { title: 'Command', cell: (row) => h('code', {}, row.command) },
      { title: 'State', cell: (row) => (row.running ? h('span', { class: 'state running' }, 'running') : `ended with ${row.exitCode}`) },
      { title: 'Started', cell: (row) => when(row.startedAt), wide: true },
      {
        title: '',
        cell: (row) =>
          h('div', { class: 'row end' }, changing && row.running && button('Kill', () => attempt(() => process.kill(row.commandId))), changing && button('Output', () => outputDialog(process, row))),
      },
    ],
    'Nothing runs, and nothing ended lately.',
  );
  const read = async (): Promise<void> => table.show((await process.list()).items, (row) => row.commandId);
  repeat(EVERY, onLeave, read);
  return h('section', { class: 'card span' }, h('h2', {}, 'Commands'), changing && runForm(process, read), table.element);
}

function runForm(process: ProcessService, read: () => Promise<void>): HTMLElement {
  const line = h('input', { required: true, class: 'grow mono', placeholder: 'make test', aria: { label: 'Command' }, autocomplete: 'off', spellcheck: false });
  const form = h('form', { class: 'row' }, line, h('button', { type: 'submit' }, 'Run'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(async () => {
      await process.start(line.value);
      form.reset();
      await read();
    });
  });
  return form;
}

/** What a command wrote, and writes while this is open. */
function outputDialog(process: ProcessService, command: CommandInfo): void {
  const text = h('pre', { class: 'log', tabIndex: 0 });
  const state = h('span', { class: 'dim grow', role: 'status' }, 'running');
  const dialog = h('dialog', { class: 'large' }, h('h2', {}, h('code', {}, command.command)), text);
  dialog.append(h('div', { class: 'row' }, state, button('Close', () => dialog.close())));
  const ending = new AbortController();
  dialog.addEventListener('close', () => {
    ending.abort(new Error('The output was closed.'));
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  const follow = async (): Promise<void> => {
    let shown = 0;
    for await (const event of process.output(command.commandId, { signal: ending.signal })) {
      if (event.type === 'exit') state.textContent = `ended with ${event.exitCode} after ${event.durationMs} ms`;
      if (event.type === 'gap') text.append(h('span', { class: 'dim' }, `[${event.to - event.from} bytes are gone]\n`));
      if (event.type !== 'stdout' && event.type !== 'stderr') continue;
      shown += event.data.length;
      text.append(h('span', { class: event.type === 'stderr' ? 'bad' : '' }, event.data));
      while (shown > MOST_SHOWN && text.firstChild !== null) {
        shown -= text.firstChild.textContent?.length ?? 0;
        text.firstChild.remove();
      }
      text.scrollTop = text.scrollHeight;
    }
  };
  void attempt(() => follow().catch((failure: unknown) => {
    if (!ending.signal.aborted) throw failure;
  }));
}
