import type { CommandInfo, ProcessService } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import { client } from '../session.js';
import { attempt } from './feedback.js';
import { repeat, type OnLeave } from './repeat.js';
import { when } from './when.js';

const EVERY = 3_000;

/** What is shown of a command's output; the rest is for programs. */
const MOST_SHOWN = 256 * 1024;

/** What runs in a sandbox and ran lately, the newest first, with its output; and running something. */
export function commandsPart(id: string, changing: boolean, onLeave: OnLeave): HTMLElement {
  const { process } = client.sandbox.reference(id);
  const cells = new Map<string, Cell>();
  const list = h('ul', { class: 'cells' });
  const none = h('p', { class: 'dim' }, changing ? 'No commands yet. Run one above.' : 'No commands yet.');
  const show = (commands: readonly CommandInfo[]): void => {
    const present = new Set(commands.map(({ commandId }) => commandId));
    for (const [key, cell] of cells) {
      if (present.has(key)) continue;
      cell.remove();
      cells.delete(key);
    }
    for (const command of commands) {
      const cell = cells.get(command.commandId) ?? new Cell(process, command, changing);
      cells.set(command.commandId, cell);
      cell.show(command);
    }
    const newestFirst = [...commands].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
    newestFirst.forEach(({ commandId }, index) => {
      const cell = cells.get(commandId);
      if (cell !== undefined && list.children[index] !== cell.element) list.insertBefore(cell.element, list.children[index] ?? null);
    });
    none.hidden = commands.length > 0;
  };
  const read = async (): Promise<void> => show((await process.list()).items);
  const run = async (line: string): Promise<void> => {
    const commandId = await process.start(line);
    await read();
    cells.get(commandId)?.open();
  };
  onLeave(() => cells.forEach((cell) => cell.remove()));
  repeat(EVERY, onLeave, read);
  return h('section', { class: 'card span' }, h('h2', {}, 'Commands'), changing && runForm(run), none, list);
}

function runForm(run: (line: string) => Promise<void>): HTMLElement {
  const line = h('input', { required: true, class: 'grow mono', placeholder: 'make test', aria: { label: 'Command' }, autocomplete: 'off', spellcheck: false });
  const form = h('form', { class: 'row' }, line, h('button', { type: 'submit', class: 'primary' }, 'Run'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { value } = line;
    void attempt(() => run(value).then(() => form.reset()));
  });
  return form;
}

/** One command with its output, which is followed while it is open. */
class Cell {
  readonly element: HTMLElement;
  private readonly state = h('span', { class: 'state' });
  private readonly output = h('pre', { class: 'log', tabIndex: 0, role: 'region', aria: { label: 'Output' }, hidden: true });
  private readonly toggle = button('Output', () => (this.output.hidden ? this.open() : this.close()), 'quiet');
  private readonly kill: HTMLButtonElement;
  private following: AbortController | undefined;

  constructor(
    private readonly process: ProcessService,
    private readonly command: CommandInfo,
    changing: boolean,
  ) {
    this.kill = button('Kill', () => attempt(() => process.kill(command.commandId)), 'quiet');
    this.toggle.setAttribute('aria-expanded', 'false');
    const tools = changing ? [this.kill, this.toggle] : [];
    this.element = h('li', {}, h('div', { class: 'row' }, h('code', { class: 'grow' }, command.command), this.state, h('span', { class: 'dim' }, when(command.startedAt)), ...tools), this.output);
  }

  show({ running, exitCode }: CommandInfo): void {
    if (this.state.dataset.ended === 'yes') return;
    this.kill.hidden = !running;
    if (running) this.become('running', 'running');
    else this.ended(exitCode ?? 0);
  }

  private ended(exitCode: number, took?: number): void {
    this.become(`exit ${exitCode}${took === undefined ? '' : ` · ${took} ms`}`, exitCode === 0 ? 'delivered' : 'error');
    if (took !== undefined) this.state.dataset.ended = 'yes';
    this.kill.hidden = true;
  }

  private become(words: string, kind: string): void {
    if (this.state.textContent === words) return;
    this.state.textContent = words;
    this.state.className = `state ${kind}`;
  }

  open(): void {
    this.toggle.setAttribute('aria-expanded', 'true');
    this.output.hidden = false;
    const following = (this.following = new AbortController());
    void attempt(() => this.follow(following.signal).catch((failure: unknown) => {
      if (!following.signal.aborted) throw failure;
    }));
  }

  private close(): void {
    this.toggle.setAttribute('aria-expanded', 'false');
    this.output.hidden = true;
    this.following?.abort(new Error('The output was closed.'));
  }

  remove(): void {
    this.close();
    this.element.remove();
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { output } = this;
    let shown = 0;
    output.replaceChildren();
    for await (const event of this.process.output(this.command.commandId, { signal })) {
      if (event.type === 'exit') this.ended(event.exitCode, event.durationMs);
      if (event.type === 'gap') output.append(h('span', { class: 'dim' }, `[${event.to - event.from} bytes are gone]\n`));
      if (event.type !== 'stdout' && event.type !== 'stderr') continue;
      shown += event.data.length;
      output.append(h('span', { class: event.type === 'stderr' ? 'bad' : '' }, event.data));
      while (shown > MOST_SHOWN && output.firstChild !== null) {
        shown -= output.firstChild.textContent?.length ?? 0;
        output.firstChild.remove();
      }
      output.scrollTop = output.scrollHeight;
    }
    if (output.childElementCount === 0) output.append(h('span', { class: 'dim' }, 'No output.'));
  }
}
