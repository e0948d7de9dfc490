import { ConnectionError, WorkspaceError, type Check } from '@bivouac/sdk';
import type { Command, Context } from '../command.js';
import { EXIT } from '../failure.js';
import { plain, type Output } from '../output.js';

declare const BIVOUAC_VERSION: string;

const UNAUTHORIZED = 1001;

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'See what is wrong, here and on the server, and what mends it',
  examples: ['bivouac doctor', 'bivouac doctor --json', 'bivouac-server doctor   # on the server, also when it does not start'],
  async run(context) {
    const checks = await examine(context);
    context.output.value({ checks }, () => {
      for (const check of checks) show(check, context.output);
    });
    return checks.every((check) => check.ok) ? 0 : EXIT.FAILED;
  },
};

/** This side first: without a server or a key nothing can be asked. */
async function examine(context: Context): Promise<Check[]> {
  const client = context.client();
  try {
    const { checks } = await client.system.doctor({ signal: context.signal });
    const [first, ...others] = checks;
    return [fine('server', 'it answers'), versions(first?.seen ?? ''), ...others];
  } catch (failure) {
    return refused(failure);
  }
}

function refused(failure: unknown): Check[] {
  if (failure instanceof ConnectionError) {
    const remedy = 'start it with bivouac-server, or name another with bivouac login URL';
    return [{ name: 'server', ok: false, seen: failure.message, costs: 'No command works.', remedy }];
  }
  if (failure instanceof WorkspaceError && failure.code === UNAUTHORIZED) {
    const key: Check = { name: 'key', ok: false, seen: failure.message, costs: 'No command works.', remedy: 'bivouac login' };
    return [fine('server', 'it answers'), key];
  }
  throw failure;
}

/** Versions with the same first number fit, and before 1.0 those with the same second one. */
export function versions(server: string, here = BIVOUAC_VERSION): Check {
  const seen = `bivouac ${here} here, ${server} on the server`;
  if (series(server) === series(here)) return fine('version', seen);
  const remedy = 'install the command line of the server\'s version';
  return { name: 'version', ok: false, seen, costs: 'Commands and options of one may be unknown to the other.', remedy };
}

function series(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : `${major}`;
}

function fine(name: string, seen: string): Check {
  return { name, ok: true, seen };
}

function show({ name, ok, seen, costs, remedy }: Check, output: Output): void {
  const mark = ok ? output.colour('✓', 'green') : output.colour('✗', 'red');
  output.line(`${mark} ${plain(name).padEnd(16)} ${plain(seen)}`);
  if (costs !== undefined) output.line(`${' '.repeat(19)}costs: ${plain(costs)}`);
  if (remedy === undefined) return;
  const [first = '', ...others] = remedy.split('\n');
  output.line(`${' '.repeat(19)}mend:  ${plain(first)}`);
  // As it is, to be copied.
  for (const line of others) output.line(plain(line));
}
