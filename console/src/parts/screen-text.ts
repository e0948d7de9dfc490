import type { Terminal } from '@xterm/xterm';

/** What a screen shows, line by line; what is painted as graphics nobody could read otherwise. */
export function screenText(screen: Terminal): string {
  const { active } = screen.buffer;
  return Array.from({ length: screen.rows }, (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '').join('\n');
}
