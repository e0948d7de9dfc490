const EVERY = 5_000;
const PATIENCE = 8_000;

/** Whether the server answers at all: a connection to one that hangs looks as alive as any other. */
export class Pulse {
  isSilent = false;

  /** As long as the page is there; hidden pages rest. */
  begin(changed: () => void): void {
    const beat = async (): Promise<void> => {
      const silent = !document.hidden && (await isSilent());
      if (silent !== this.isSilent) {
        this.isSilent = silent;
        changed();
      }
      setTimeout(() => void beat(), EVERY);
    };
    void beat();
  }
}

/** A refused connection is no silence: the event stream sees that by itself. */
async function isSilent(): Promise<boolean> {
  try {
    await fetch('/health', { signal: AbortSignal.timeout(PATIENCE), cache: 'no-store' });
    return false;
  } catch (failure) {
    return failure instanceof DOMException && failure.name === 'TimeoutError';
  }
}
