import { WorkspaceError, type Terminal } from '@bivouac/sdk';
import type { TerminalSeal } from '@bivouac/sdk/sealed';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal as Screen } from '@xterm/xterm';
import { h } from '../dom.js';
import { client } from '../session.js';

/** One terminal on one screen. */
export class TerminalTab {
  readonly element = h('div', { class: 'screen' });
  state = 'connecting';
  private readonly screen = new Screen({ cursorBlink: true, fontFamily: 'ui-monospace, Menlo, Consolas, monospace', fontSize: 14, scrollback: 10_000 });
  private readonly fit = new FitAddon();
  private readonly search = new SearchAddon();
  private readonly observer = new ResizeObserver(() => this.fitSoon());
  private terminal: Terminal | undefined;
  private seal: TerminalSeal | undefined;
  private closed = false;

  constructor(
    private readonly sandboxId: string,
    private readonly number: number,
    private readonly changed: () => void,
    private readonly isSealed = false,
  ) {
    // What is painted as graphics nobody can read: for checks, and for whoever saves the screen.
    Object.assign(this.element, { screenText: () => this.text() });
  }

  private text(): string {
    const { active } = this.screen.buffer;
    const lines = Array.from({ length: this.screen.rows }, (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '');
    return lines.join('\n');
  }

  get title(): string {
    return `${this.isSealed ? '🔒 ' : ''}Terminal ${this.number}`;
  }

  async open(): Promise<void> {
    const { screen } = this;
    screen.loadAddon(this.fit);
    screen.loadAddon(this.search);
    screen.loadAddon(new WebLinksAddon());
    screen.open(this.element);
    await this.accelerate();
    this.fit.fit();
    screen.focus();
    screen.attachCustomKeyEventHandler((event) => this.hotkey(event));
    try {
      const sandbox = client.sandbox.reference(this.sandboxId);
      const sealed = this.isSealed ? await this.newSeal() : {};
      const terminal = (this.terminal = await sandbox.terminal({ cols: screen.cols, rows: screen.rows, envs: { TERM: 'xterm-256color' }, ...sealed }));
      if (this.closed) { this.close(); return; }
      this.become(terminal.state);
      terminal.on('state', (state) => this.become(state));
      this.observer.observe(this.element);
      screen.onResize(({ cols, rows }) => terminal.resize(cols, rows));
      screen.onData((text) => void terminal.write(text).catch(() => undefined));
      screen.onBinary((text) => void terminal.write(Uint8Array.from(text, (one) => one.charCodeAt(0))).catch(() => undefined));
      // The next bytes are taken when these are painted, so a flood is held back at its source.
      for await (const bytes of terminal) await new Promise<void>((painted) => screen.write(bytes, painted));
      const { exitCode } = await terminal.wait();
      screen.write(`\r\n\x1b[2m[the program ended with ${exitCode}]\x1b[0m\r\n`);
    } catch (failure) {
      if (this.closed) return;
      const words = failure instanceof WorkspaceError ? failure.message : String(failure);
      screen.write(`\r\n\x1b[31m[${words.replaceAll('\x1b', '')}]\x1b[0m\r\n`);
    }
    this.become('closed');
  }

  /** Fetched when it is first wanted; the key lives as long as this tab. */
  private async newSeal(): Promise<{ sealed: TerminalSeal }> {
    const { sealed, storagePins } = await import('@bivouac/sdk/sealed');
    this.seal = sealed({ pins: storagePins(localStorage) });
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
    } catch {
      this.element.dataset.painting = 'plain';
    }
  }

  /** Ctrl-Shift-F searches; everything else is the program's. */
  private hotkey(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey || event.code !== 'KeyF') return true;
    const words = prompt('Find in the terminal');
    if (words !== null && words !== '') this.search.findPrevious(words);
    return false;
  }

  show(visible: boolean): void {
    this.element.hidden = !visible;
    if (!visible) return;
    this.fitSoon();
    this.screen.focus();
  }

  private fitSoon(): void {
    requestAnimationFrame(() => {
      if (!this.closed && !this.element.hidden && this.element.isConnected) this.fit.fit();
    });
  }

  private become(state: string): void {
    this.state = state;
    this.element.dataset.state = state;
    this.changed();
  }

  close(): void {
    this.closed = true;
    this.observer.disconnect();
    const { terminal } = this;
    if (terminal !== undefined && terminal.state !== 'closed') {
      terminal.close();
      // Nobody could come back to a tab that is gone.
      terminal.kill().catch(() => undefined);
    }
    this.screen.dispose();
    this.element.remove();
  }
}
