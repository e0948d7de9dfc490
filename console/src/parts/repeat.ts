export type OnLeave = (act: () => void) => void;

/** Does something now and then, never twice at once, until the page is left. Hidden pages rest. */
export function repeat(every: number, onLeave: OnLeave, act: () => Promise<unknown>): void {
  let left = false;
  onLeave(() => (left = true));
  const round = async (): Promise<void> => {
    if (left) return;
    // What fails is asked for again in a moment; that the line is down is shown for the whole page.
    if (!document.hidden) await act().catch(() => undefined);
    setTimeout(() => void round(), every);
  };
  void round();
}
