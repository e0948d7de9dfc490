import { once } from 'node:events';
import type { Recording } from '@bivouac/sdk';

export interface Pace {
  /** 2 is twice as fast; Infinity waits for nothing. */
  speed: number;
  /** No pause is longer, in seconds. */
  longestPause: number;
  signal: AbortSignal;
}

/** Leaves the second screen, and the mouse, cursor and colours as a shell expects them: a recording may end anywhere. */
const AS_IT_WAS = '\u001b[?1049l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?2004l\u001b[?25h\u001b[0m\r\n';

const CTRL_C = '\u0003';

/** Shows a recording as it was, on this terminal or into a pipe. */
export async function replay(recording: Recording, pace: Pace): Promise<void> {
  const { stdin, stdout } = process;
  const watched = stdout.isTTY;
  const keys = watched && stdin.isTTY ? new Keys(stdin) : undefined;
  let due = performance.now();
  try {
    for await (const event of recording) {
      if (watched) {
        due += (Math.min(event.after, pace.longestPause) / pace.speed) * 1000;
        await wait(due - performance.now(), pace.signal, keys);
        due += (await keys?.whilePaused(pace.signal)) ?? 0;
        if (keys?.quit) return;
      }
      if (event.type === 'output' && !stdout.write(event.text)) await once(stdout, 'drain', { signal: pace.signal });
    }
  } finally {
    keys?.end();
    if (watched) stdout.write(AS_IT_WAS);
  }
}

/** Until then, or until a key asks for something else. */
async function wait(milliseconds: number, signal: AbortSignal, keys: Keys | undefined): Promise<void> {
  signal.throwIfAborted();
  if (milliseconds <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      resolve();
    }
    signal.addEventListener('abort', aborted, { once: true });
    keys?.onQuit(done);
  });
}

/** Space pauses and goes on, q or Ctrl-C ends. What the recording makes the terminal answer is swallowed here too. */
class Keys {
  quit = false;
  private paused = false;
  private wake: (() => void) | undefined;
  private leave: (() => void) | undefined;

  constructor(private readonly input: NodeJS.ReadStream) {
    input.setRawMode(true);
    input.on('data', this.typed);
    input.resume();
  }

  private readonly typed = (bytes: Buffer): void => {
    const key = bytes.toString();
    if (key === ' ') this.paused = !this.paused;
    if (key === 'q' || key === CTRL_C) {
      this.quit = true;
      this.leave?.();
    }
    if (!this.paused || this.quit) this.wake?.();
  };

  onQuit(act: () => void): void {
    this.leave = act;
  }

  /** How long that was, in milliseconds. */
  async whilePaused(signal: AbortSignal): Promise<number> {
    const begun = performance.now();
    while (this.paused && !this.quit && !signal.aborted) await new Promise<void>((resolve) => (this.wake = resolve));
    return performance.now() - begun;
  }

  end(): void {
    this.input.off('data', this.typed);
    this.input.setRawMode(false);
    this.input.pause();
  }
}
