import type { FitAddon } from '@xterm/addon-fit';
import type { Terminal as Screen } from '@xterm/xterm';
import { WorkspaceClient } from './client.js';
import { WorkspaceError } from './errors/workspace-error.js';
import type { Terminal } from './terminal/terminal.js';

/**
 * `<bivouac-terminal sandbox="sbx-…">`: a terminal in any page. Attributes: `sandbox`, `terminal` (to attach to one
 * that is there), `role`, `api-url` (this page's server when absent). A page that has a key sets the property
 * `client`; one that the server logged in needs none. The page brings xterm's style sheet. Without `terminal` it makes
 * one, and ends it when it is removed from the page; one that was named goes on. Being moved within the page changes
 * nothing. A reload removes no element: a page that wants its terminal back keeps the `id` of `bivouac-open`'s detail.
 */
export class BivouacTerminalElement extends HTMLElement {
  /** How to reach the server; made from `api-url` when absent. */
  client: WorkspaceClient | undefined;
  #screen: Screen | undefined;
  #terminal: Terminal | undefined;
  #observer: ResizeObserver | undefined;
  #leaving: AbortController | undefined;

  connectedCallback(): void {
    if (this.#leaving !== undefined) return;
    const leaving = (this.#leaving = new AbortController());
    this.#open(leaving.signal).catch((failure: unknown) => {
      if (!leaving.signal.aborted) this.#tell('bivouac-error', failure);
    });
  }

  disconnectedCallback(): void {
    // One that is only moved is in the page again by then.
    queueMicrotask(() => {
      if (!this.isConnected) this.#leave();
    });
  }

  #leave(): void {
    this.#leaving?.abort(new Error('The element was removed.'));
    this.#observer?.disconnect();
    // Ends it if it was made here, unless it is over.
    this.#terminal?.[Symbol.asyncDispose]().catch(() => undefined);
    this.#screen?.dispose();
    this.#leaving = this.#observer = this.#terminal = this.#screen = undefined;
  }

  async #open(signal: AbortSignal): Promise<void> {
    const [xterm, fitting] = await Promise.all([import('@xterm/xterm'), import('@xterm/addon-fit')]);
    signal.throwIfAborted();
    const screen = (this.#screen = new xterm.Terminal({ cursorBlink: true, allowProposedApi: false }));
    const fit: FitAddon = new fitting.FitAddon();
    screen.loadAddon(fit);
    screen.open(this);
    fit.fit();
    const terminal = await this.#attach(screen, signal);
    if (signal.aborted) {
      await terminal[Symbol.asyncDispose]();
      return;
    }
    this.#terminal = terminal;
    this.#observer = new ResizeObserver(() => fit.fit());
    this.#observer.observe(this);
    screen.onResize(({ cols, rows }) => terminal.resize(cols, rows));
    screen.onData((text) => void terminal.write(text).catch(() => undefined));
    terminal.on('state', (state) => this.#tell('bivouac-state', state));
    this.#tell('bivouac-open', terminal);
    void this.#show(screen, terminal);
  }

  async #attach(screen: Screen, signal: AbortSignal): Promise<Terminal> {
    // The header proves that it was our page, not one elsewhere, that used the server's cookie.
    const client =
      this.client ?? new WorkspaceClient({ apiUrl: this.getAttribute('api-url') ?? location.origin, headers: { 'X-Bivouac-Console': '1' } });
    const sandbox = await client.sandbox.get(this.getAttribute('sandbox') ?? '', { signal });
    const id = this.getAttribute('terminal');
    const role = this.getAttribute('role') === 'viewer' ? 'viewer' : 'driver';
    return sandbox.terminal({ cols: screen.cols, rows: screen.rows, role, ...(id === null ? {} : { id }) });
  }

  /** The next bytes are taken when the screen has painted these, so a flood is held back at its source. */
  async #show(screen: Screen, terminal: Terminal): Promise<void> {
    try {
      for await (const bytes of terminal) await new Promise<void>((painted) => screen.write(bytes, painted));
      this.#tell('bivouac-exit', await terminal.wait());
    } catch (failure) {
      if (!(failure instanceof WorkspaceError && failure.code === 0)) this.#tell('bivouac-error', failure);
    }
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

customElements.define('bivouac-terminal', BivouacTerminalElement);
