import type { Sandbox, StreamEvent } from '@bivouac/sdk';

const TERM = 15;
const KILL = 9;

/** How long a command has to put its things away, in milliseconds. */
const GRACE = 5_000;

/** The commands of calls that are not answered yet. The program ends after they have. */
export class RunningCommands {
  readonly #all = new Set<Promise<unknown>>();

  /** Reads a command to its end. An abort kills the command, and the reading goes on until it is gone. */
  async *read(sandbox: Sandbox, events: AsyncIterable<StreamEvent>, signal: AbortSignal): AsyncGenerator<StreamEvent, void, void> {
    let over!: () => void;
    const ended = new Promise<void>((resolve) => (over = resolve));
    this.#all.add(ended);
    let commandId: string | undefined;
    let forced: NodeJS.Timeout | undefined;
    const send = (number: number): void => {
      // A command that has just ended cannot be killed, and need not be.
      if (commandId !== undefined) void sandbox.process.kill(commandId, number).catch(() => undefined);
    };
    const end = (): void => {
      send(TERM);
      forced ??= setTimeout(() => send(KILL), GRACE);
    };
    signal.addEventListener('abort', end);
    try {
      for await (const event of events) {
        if (event.type === 'start') {
          commandId = event.commandId;
          if (signal.aborted) end();
        }
        yield event;
      }
    } finally {
      signal.removeEventListener('abort', end);
      clearTimeout(forced);
      this.#all.delete(ended);
      over();
    }
  }

  async ended(): Promise<void> {
    await Promise.all(this.#all);
  }
}
