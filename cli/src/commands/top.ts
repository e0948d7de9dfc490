import { setTimeout as delay } from 'node:timers/promises';
import { WorkspaceError, type Sandbox, type SandboxStats } from '@bivouac/sdk';
import { flag, type Command, type Context } from '../command.js';
import { relative, size } from '../output.js';

const EVERY = 2_000;

/** Sandboxes that are asked at the same time. */
const AT_ONCE = 8;

interface Row {
  sandbox: Sandbox;
  stats: SandboxStats;
}

export const top: Command = {
  name: 'top',
  usage: '[--once]',
  summary: 'Show what the running sandboxes use, live',
  options: { once: { type: 'boolean', words: 'print it once and end' } },
  examples: ['bivouac top', 'bivouac top --once', 'bivouac top --json --once'],
  async run(context) {
    const live = process.stdout.isTTY && !context.output.json && !flag(context, 'once');
    for (;;) {
      const rows = await figures(context);
      // Home, and clear below it: what is there is written over without a flicker.
      if (live) process.stdout.write('\u001b[H\u001b[J');
      show(context, rows);
      if (flag(context, 'once')) return 0;
      await delay(EVERY, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
    }
  },
};

/** The busiest first. */
async function figures(context: Context): Promise<Row[]> {
  const { sandbox: service } = context.client();
  const running: Sandbox[] = [];
  for await (const one of service.list({ state: 'running', limit: 500 }, { signal: context.signal })) running.push(one);
  const rows: Row[] = [];
  const next = running[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const sandbox of next) {
      const stats = await sandbox.stats({ signal: context.signal }).catch((failure: unknown) => {
        // One that has stopped meanwhile has no figures.
        if (failure instanceof WorkspaceError && failure.status !== undefined && failure.status < 500) return undefined;
        throw failure;
      });
      if (stats !== undefined) rows.push({ sandbox, stats });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return rows.sort((a, b) => b.stats.cpu.usage - a.stats.cpu.usage);
}

function show({ output }: Context, rows: Row[]): void {
  output.value(
    rows.map(({ sandbox: { id, name }, stats }) => ({ id, name, ...stats })),
    () =>
      output.table(
        ['NAME', 'ID', 'CPU', 'MEMORY', 'DISK', 'PIDS', 'EXPIRES'],
        rows.map(({ sandbox, stats: { cpu, memory, disk, pids } }) => [
          sandbox.name ?? '',
          sandbox.id,
          `${cpu.usage.toFixed(2)}/${cpu.limit}`,
          `${size(memory.usage)}/${size(memory.limit)}`,
          `${size(disk.usage)}/${size(disk.limit)}`,
          String(pids),
          relative(sandbox.expiresAt),
        ]),
        { empty: 'No sandbox is running. Make one with: bivouac create', drop: ['EXPIRES', 'ID', 'DISK', 'PIDS'] },
      ),
  );
}
