import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { UsageError, type Context } from '../command.js';
import { plain } from '../output.js';
import type { Change } from './tree.js';

/** What becomes of an agent's changes. */
export type Decision = 'apply' | 'keep' | 'discard';

const DECISIONS: readonly Decision[] = ['apply', 'keep', 'discard'];
const MARK = { added: 'A', changed: 'M', removed: 'D' } as const;
const COLOUR = { added: 'green', changed: 'yellow', removed: 'red' } as const;

/** Lines of the list that is shown unasked. */
const SHOWN = 40;

export function decisionOf(given: string | undefined): Decision | undefined {
  if (given === undefined) return undefined;
  const found = DECISIONS.find((one) => one === given);
  if (found === undefined) throw new UsageError(`--changes is ${DECISIONS.join(', ')}, not '${given}'.`);
  return found;
}

export function list(changed: Change[], { output }: Context): void {
  for (const { path, kind } of changed.slice(0, SHOWN)) output.note(`  ${output.colour(MARK[kind], COLOUR[kind])} ${plain(path)}`);
  if (changed.length > SHOWN) output.note(`  and ${changed.length - SHOWN} more`);
}

/** Asks a person; without one the sandbox is kept, and nothing is lost. */
export async function decide(changed: Change[], here: string, there: string, context: Context): Promise<Decision> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return 'keep';
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    for (;;) {
      const said = (await terminal.question('[a] apply here  [d] show the differences  [k] keep the sandbox  [x] discard: ', { signal: context.signal })).trim();
      if (said === 'd') differences(here, there, changed, context);
      const decision = DECISIONS.find((one) => said === one || said === { apply: 'a', keep: 'k', discard: 'x' }[one]);
      if (decision !== undefined) return decision;
    }
  } finally {
    terminal.close();
  }
}

function differences(here: string, there: string, changed: Change[], { output }: Context): void {
  for (const { path } of changed) {
    const words = ['--no-pager', 'diff', '--no-index', '--no-ext-diff', '--no-textconv', '--', `${here}/${path}`, `${there}/${path}`];
    const { error } = spawnSync('git', words, { stdio: ['ignore', 'inherit', 'inherit'], cwd: there });
    if (error !== undefined) {
      output.note('Differences are shown with git, which is missing here.');
      return;
    }
  }
}
