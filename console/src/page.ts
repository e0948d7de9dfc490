import type { Live } from './live.js';
import type { UsageHistory } from './parts/usage-history.js';
import type { Session } from './session.js';

/** What a page is made with. */
export interface Setting {
  session: Session;
  live: Live;
  usage: UsageHistory;
  /** The parts of the address that the route left open. */
  parameters: string[];
  /** Called when the page is left. */
  onLeave: (act: () => void) => void;
}

/** Makes a page's content. */
export type Page = (setting: Setting) => HTMLElement;

export function mayChange(session: Session): boolean {
  return session.role !== 'viewer';
}
