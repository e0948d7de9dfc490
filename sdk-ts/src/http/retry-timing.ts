const FIRST = 100;
const LONGEST = 5_000;

/** How long to wait before the next attempt: doubling, with jitter, and never less than the server asked for. */
export function pause(attempt: number, asked: number | undefined, random: () => number = Math.random): number {
  const most = Math.min(LONGEST, FIRST * 2 ** attempt);
  return Math.max(asked ?? 0, most / 2 + (most / 2) * random());
}

/** Resolves after this time, or rejects with the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
