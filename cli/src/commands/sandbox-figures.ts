import { setTimeout as delay } from 'node:timers/promises';
import { flag, number, text, word, type Command } from '../command.js';
import { plain, size } from '../output.js';

export const sandboxLogs: Command = {
  name: 'sandbox logs',
  usage: 'ID [options]',
  summary: "Show a sandbox's log",
  options: {
    tail: { type: 'string', short: 'n', value: 'N', words: 'so many lines from the end (default: 100)' },
    since: { type: 'string', value: 'TIME', words: 'from then on, as 2026-01-01T12:00:00Z' },
    until: { type: 'string', value: 'TIME', words: 'up to then' },
  },
  completes: 'sandbox',
  examples: ['bivouac sandbox logs sbx-…', 'bivouac sandbox logs sbx-… -n 1000 --since 2026-01-01T12:00:00Z'],
  async run(context) {
    const asked = { tail: number(context, 'tail'), since: text(context, 'since'), until: text(context, 'until') };
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    const logs = await context.client().sandbox.logs(word(context, 0, 'The sandbox'), given, { signal: context.signal });
    const { output } = context;
    output.value(logs, () => {
      for (const line of logs.lines) output.line(`${output.colour(`${line.time} ${line.stream.padEnd(6)}`, 'dim')} ${plain(line.text)}`);
    });
    return 0;
  },
};

const EVERY = 1_000;

export const sandboxStats: Command = {
  name: 'sandbox stats',
  usage: 'ID [--watch]',
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
