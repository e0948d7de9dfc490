import '@xterm/xterm/css/xterm.css';
import { Terminal as Screen } from '@xterm/xterm';
import { client } from '../session.js';

/** Of the letters on a picture of a screen. */
const FONT = 7;

/** Draws a terminal's screen into a place, as somebody who only looks, until the signal ends that. */
export async function follow(place: HTMLElement, sandboxId: string, terminalId: string, signal: AbortSignal): Promise<void> {
  const screen = new Screen({ fontSize: FONT, fontFamily: 'ui-monospace, Menlo, Consolas, monospace', disableStdin: true, scrollback: 0, cursorBlink: false, theme: { background: '#0c0f10' } });
  screen.open(place);
  screen.textarea?.setAttribute('tabindex', '-1');
  const terminal = await client.sandbox.reference(sandboxId).terminal({ id: terminalId, role: 'viewer', signal });
  const end = (): void => {
    terminal.close();
    screen.dispose();
  };
  if (signal.aborted) {
    end();
    return;
  }
  signal.addEventListener('abort', end, { once: true });
  terminal.on('resized', ({ cols, rows }) => screen.resize(cols, rows));
  for await (const bytes of terminal) await new Promise<void>((painted) => screen.write(bytes, painted));
}
