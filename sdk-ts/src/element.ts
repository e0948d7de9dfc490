import type { FitAddon } from '@xterm/addon-fit';
import type { Terminal as Screen } from '@xterm/xterm';
import { WorkspaceClient } from './client.js';
import { WorkspaceError } from './errors/workspace-error.js';
import type { Terminal } from './terminal/terminal.js';

/**
 * `<bivouac-terminal sandbox="sbx-…">`: a terminal in any page. Attributes: `sandbox`, `terminal` (to attach to one
 * that is there), `role`, `api-url` (this page's server when absent). A page that has a key sets the property
 * `client`; one that the server logged in needs none. The page brings xterm's style sheet.
 */
export class BivouacTerminalElement extends HTMLElement {
  /** How to reach the server; made from `api-url` when absent. */
  client: WorkspaceClient | undefined;
  #screen: Screen | undefined;
  #terminal: Terminal | undefined;
  #observer: ResizeObserver | undefined;

  connectedCallback(): void {
    this.#open().catch((failure: unknown) => this.#tell('bivouac-error', failure));
  }

  disconnectedCallback(): void {
    this.#observer?.disconnect();
    this.#terminal?.close();
    this.#screen?.dispose();
  }

  async #open(): Promise<void> {
    const [xterm, fitting] = await Promise.all([import('@xterm/xterm'), import('@xterm/addon-fit')]);
    const screen = (this.#screen = new xterm.Terminal({ cursorBlink: true, allowProposedApi: false }));
    const fit: FitAddon = new fitting.FitAddon();
    screen.loadAddon(fit);
    screen.open(this);
    fit.fit();
    const terminal = (this.#terminal = await this.#attach(screen));
    this.#observer = new ResizeObserver(() => fit.fit());
    this.#observer.observe(this);
    screen.onResize(({ cols, rows }) => terminal.resize(cols, rows));
    screen.onData((text) => void terminal.write(text).catch(() => undefined));
    terminal.on('state', (state) => this.#tell('bivouac-state', state));
    this.#tell('bivouac-open', terminal);
    void this.#show(screen, terminal);
  }

  async #attach(screen: Screen): Promise<Terminal> {
    // The header proves that it was our page, not one elsewhere, that used the server's cookie.
    const client =
      this.client ?? new WorkspaceClient({ apiUrl: this.getAttribute('api-url') ?? location.origin, headers: { 'X-Bivouac-Console': '1' } });
    const sandbox = await client.sandbox.get(this.getAttribute('sandbox') ?? '');
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
