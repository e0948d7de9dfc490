import { WorkspaceError, type Terminal } from '@bivouac/sdk';
import type { TerminalSeal } from '@bivouac/sdk/sealed';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal as Screen } from '@xterm/xterm';
import { h } from '../dom.js';
import { client } from '../session.js';
import { screenText } from './screen-text.js';
import { SearchBar } from './search-bar.js';

const LONGEST_TITLE = 60;

/** What Ctrl leaves of a letter. */
const CONTROL = 0x1f;

/** How a terminal differs from the usual one. */
export interface TabKind {
  record?: boolean;
  /** Encrypted between this page and the sandbox. */
  sealed?: boolean;
  /** One that this page had open before it was reloaded. */
  id?: string;
  /** Somebody else's, or opened elsewhere: leaving it does not end it. */
  kept?: boolean;
  /** Only to look. */
  watch?: boolean;
}

/** What a tab tells its page. */
export interface TabListener {
  changed(): void;
  /** The terminal is there, under this id. */
  opened(id: string): void;
  /** Nobody will come back to it. */
  over(id: string): void;
  /** Whoever types wants to reach the tabs: a terminal takes every other key for its program. */
  leave(): void;
}

/** One terminal on one screen. */
export class TerminalTab {
  readonly element: HTMLElement;
  state = 'connecting';
  /** What the program calls itself. */
  running = '';
  private readonly place = h('div', { class: 'screen-place' });
  private readonly notice = h('div', { class: 'notice', role: 'status', hidden: true }, 'The connection is lost. Looking for it again; what you type is kept.');
  // The search shows its finds in colour, which xterm counts as a proposal.
  private readonly screen = new Screen({ cursorBlink: true, fontFamily: 'ui-monospace, Menlo, Consolas, monospace', fontSize: 14, scrollback: 10_000, allowProposedApi: true, theme: { background: '#0c0f10', foreground: '#e2e8e5' } });
  private readonly fit = new FitAddon();
  private readonly search = new SearchAddon();
  private readonly bar = new SearchBar(this.search, () => this.screen.focus());
  private readonly observer = new ResizeObserver(() => this.fitSoon());
  private terminal: Terminal | undefined;
  private seal: TerminalSeal | undefined;
  private closed = false;
  /** The next letter is typed as with Ctrl, for keyboards that have no such key. */
  control = false;

  constructor(
    private readonly sandboxId: string,
    readonly title: string,
    private readonly kind: TabKind,
    private readonly listener: TabListener,
  ) {
    this.element = h('div', { class: 'screen', role: 'tabpanel', aria: { label: title } }, this.place, this.notice, this.bar.element);
    // For checks, and for whoever saves the screen.
    Object.assign(this.element, { screenText: () => screenText(this.screen) });
  }

  async open(): Promise<void> {
    const { screen } = this;
    screen.loadAddon(this.fit);
    screen.loadAddon(this.search);
    screen.loadAddon(new WebLinksAddon());
    screen.open(this.place);
    await this.accelerate();
    this.fit.fit();
    screen.focus();
    screen.attachCustomKeyEventHandler((event) => this.hotkey(event));
    try {
      const sandbox = client.sandbox.reference(this.sandboxId);
      const sealed = this.kind.sealed === true ? await this.newSeal() : {};
      const { id } = this.kind;
      const wanted = id === undefined ? { cols: screen.cols, rows: screen.rows, envs: { TERM: 'xterm-256color' }, record: this.kind.record ?? false, ...sealed } : { id, role: this.kind.watch === true ? ('viewer' as const) : ('driver' as const) };
      const terminal = (this.terminal = await sandbox.terminal(wanted));
      if (this.kind.kept !== true) this.listener.opened(terminal.id);
      if (id !== undefined && this.kind.watch !== true) terminal.resize(screen.cols, screen.rows);
      if (this.closed) { this.close(); return; }
      this.become(terminal.state);
      terminal.on('state', (state) => this.become(state));
      if (this.kind.watch === true) this.look(terminal);
      else this.drive(terminal);
      // The next bytes are taken when these are painted, so a flood is held back at its source.
      for await (const bytes of terminal) await new Promise<void>((painted) => screen.write(bytes, painted));
      const { exitCode } = await terminal.wait();
      this.listener.over(terminal.id);
      screen.write(`\r\n\x1b[2m[exit ${exitCode}; + opens a new terminal]\x1b[0m\r\n`);
    } catch (failure) {
      if (this.closed) return;
      const words = failure instanceof WorkspaceError ? failure.message : String(failure);
      screen.write(`\r\n\x1b[31m[${words.replaceAll('\x1b', '')}]\x1b[0m\r\n`);
    }
    this.become('closed');
  }

  private drive(terminal: Terminal): void {
    const { screen } = this;
    this.observer.observe(this.place);
    screen.onResize(({ cols, rows }) => terminal.resize(cols, rows));
    screen.onTitleChange((title) => {
      this.running = title.slice(0, LONGEST_TITLE);
      this.listener.changed();
    });
    screen.onData((text) => this.type(text));
    screen.onBinary((text) => void terminal.write(Uint8Array.from(text, (one) => one.charCodeAt(0))).catch(() => undefined));
  }

  /** Types for somebody whose keyboard lacks the key. */
  type(text: string): void {
    const sent = this.control && /^[@-_a-z]$/.test(text) ? String.fromCharCode(text.toUpperCase().charCodeAt(0) & CONTROL) : text;
    if (this.control) {
      this.control = false;
      this.listener.changed();
    }
    void this.terminal?.write(sent).catch(() => undefined);
  }

  /** Whoever watches has the size of whoever types. */
  private look(terminal: Terminal): void {
    this.screen.options.disableStdin = true;
    terminal.on('resized', ({ cols, rows }) => this.screen.resize(cols, rows));
  }

  /** Fetched when it is first wanted; our key lives as long as this tab, and a host's as long as its sandbox runs. */
  private async newSeal(): Promise<{ sealed: TerminalSeal }> {
    const { sealed, memoryPins } = await import('@bivouac/sdk/sealed');
    this.seal = sealed({ pins: memoryPins() });
    return { sealed: this.seal };
  }

  /** The host's, when this terminal is sealed and open. */
  get fingerprint(): string | undefined {
    return this.seal?.fingerprint;
  }

  /** By the graphics card where there is one; the plain way of painting is always there. */
  private async accelerate(): Promise<void> {
    try {
      const { WebglAddon } = await import('@xterm/addon-webgl');
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => webgl.dispose());
      this.screen.loadAddon(webgl);
      this.element.dataset.painting = 'webgl';
    } catch {
      this.element.dataset.painting = 'plain';
    }
  }

  /** Ctrl-Shift-F finds, Ctrl-Shift-L leaves for the tabs; everything else is the program's. */
  private hotkey(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey) return true;
    if (event.code === 'KeyF') this.find();
    else if (event.code === 'KeyL') this.listener.leave();
    else return true;
    event.preventDefault();
    return false;
  }

  find(): void {
    this.bar.open();
  }

  /** Several may be visible side by side; one has the keyboard. */
  show(visible: boolean, focused = visible): void {
    this.element.hidden = !visible;
    if (!visible) return;
    this.fitSoon();
    if (focused) this.screen.focus();
  }

  private fitSoon(): void {
    requestAnimationFrame(() => {
      if (!this.closed && !this.element.hidden && this.element.isConnected && this.kind.watch !== true) this.fit.fit();
    });
  }

  private become(state: string): void {
    this.state = state;
    this.element.dataset.state = state;
    this.notice.hidden = state !== 'reconnecting';
    this.listener.changed();
  }

  close(): void {
    this.closed = true;
    this.observer.disconnect();
    const { terminal } = this;
    if (terminal !== undefined && terminal.state !== 'closed') {
      terminal.close();
      if (this.kind.kept === true) {
        this.screen.dispose();
        this.element.remove();
        return;
      }
      // Nobody could come back to a tab that is gone.
      this.listener.over(terminal.id);
      terminal.kill().catch(() => undefined);
    }
    this.screen.dispose();
    this.element.remove();
  }
}
