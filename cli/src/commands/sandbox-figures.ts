import { setTimeout as delay } from 'node:timers/promises';
import type { LogLine } from '@bivouac/sdk';
import { flag, number, text, word, type Command, type Context } from '../command.js';
import { plain, size } from '../output.js';

const EVERY = 1_000;

/** The server's own limit. */
const MOST_LINES = 10_000;

export const sandboxLogs: Command = {
  name: 'sandbox logs',
  aliases: ['logs'],
  usage: 'SANDBOX [options]',
  summary: "Show a sandbox's log",
  options: {
    follow: { type: 'boolean', short: 'f', words: 'go on with what comes, until Ctrl-C' },
    tail: { type: 'string', short: 'n', value: 'N', words: 'so many lines from the end (default: 100)' },
    since: { type: 'string', value: 'TIME', words: 'from then on, as 2026-01-01T12:00:00Z' },
    until: { type: 'string', value: 'TIME', words: 'up to then' },
  },
  completes: 'sandbox',
  examples: ['bivouac logs web', 'bivouac logs -f web', 'bivouac logs web -n 1000 --since 2026-01-01T12:00:00Z'],
  async run(context) {
    const asked = { tail: number(context, 'tail'), since: text(context, 'since'), until: text(context, 'until') };
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    const logs = await context.client().sandbox.logs(word(context, 0, 'The sandbox'), given, { signal: context.signal });
    const { output } = context;
    const print = (lines: LogLine[]): void => {
      for (const line of lines) output.line(`${output.colour(`${line.time} ${line.stream.padEnd(6)}`, 'dim')} ${plain(line.text)}`);
    };
    if (flag(context, 'follow')) return follow(context, logs.lines, (lines) => (output.json ? lines.forEach((line) => output.line(JSON.stringify(line))) : print(lines)));
    output.value(logs, () => print(logs.lines));
    return 0;
  },
};

/** Asks again and again, and leaves out what was there before: lines of the same moment are told apart by their number. */
async function follow(context: Context, first: LogLine[], print: (lines: LogLine[]) => void): Promise<number> {
  const { sandbox } = context.client();
  const id = word(context, 0, 'The sandbox');
  print(first);
  let last = first.at(-1)?.time;
  let seen = first.filter(({ time }) => time === last).length;
  for (;;) {
    await delay(EVERY, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
    const { lines } = await sandbox.logs(id, last === undefined ? {} : { since: last, tail: MOST_LINES }, { signal: context.signal });
    const same = lines.filter(({ time }) => time === last).length;
    const fresh = lines.slice(same === 0 ? 0 : Math.min(seen, same));
    if (fresh.length === 0) continue;
    print(fresh);
    const newest = fresh.at(-1)?.time;
    seen = lines.filter(({ time }) => time === newest).length;
    last = newest;
  }
}

export const sandboxStats: Command = {
  name: 'sandbox stats',
  aliases: ['stats'],
  usage: 'SANDBOX [--watch]',
  summary: 'Show what a sandbox uses',
  options: { watch: { type: 'boolean', short: 'w', words: 'again every second, until Ctrl-C' } },
  completes: 'sandbox',
  examples: ['bivouac sandbox stats sbx-…', 'bivouac sandbox stats sbx-… --watch'],
  async run(context) {
    const { sandbox } = context.client();
    const id = word(context, 0, 'The sandbox');
    for (;;) {
      const { cpu, memory, disk, network, pids } = await sandbox.stats(id, { signal: context.signal });
      context.output.value({ cpu, memory, disk, network, pids }, () =>
        context.output.line(
          `cpu ${cpu.usage.toFixed(2)}/${cpu.limit}  memory ${size(memory.usage)}/${size(memory.limit)}  ` +
            `disk ${size(disk.usage)}/${size(disk.limit)}  pids ${pids}`,
        ),
      );
      if (!flag(context, 'watch')) return 0;
      await delay(EVERY, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
    }
  },
};
