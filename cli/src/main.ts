import { parseArgs } from 'node:util';
import { WorkspaceClient } from '@bivouac/sdk';
import { account } from './account.js';
import { parseConfig, UsageError, type Command } from './command.js';
import { commands } from './commands/all.js';
import { Ended } from './ending.js';
import { explain } from './failure.js';
import { help, overview } from './help.js';
import { Output } from './output.js';
import { quickFetch } from './quick-fetch.js';

declare const BIVOUAC_VERSION: string;

/** The command with the longest name that the words begin with. */
function find(words: string[]): { command: Command; rest: string[] } | undefined {
  const named = (command: Command): string[] => command.name.split(' ');
  const fitting = commands.filter((command) => named(command).every((part, i) => words[i] === part));
  const command = fitting.sort((a, b) => b.name.length - a.name.length)[0];
  return command === undefined ? undefined : { command, rest: words.slice(named(command).length) };
}

/** Options may also stand before the command: they are the same there. */
function commandFirst(words: string[]): string[] {
  let options = 0;
  while (words[options] === '--json' || words[options] === '--url' || words[options] === '--key') {
    options += words[options] === '--json' ? 1 : 2;
  }
  const dashes = words.indexOf('--');
  const end = dashes < 0 ? words.length : Math.max(dashes, options);
  return [...words.slice(options, end), ...words.slice(0, options), ...words.slice(end)];
}

/** What stands after `--` is another program's. */
function asksForJson(words: string[]): boolean {
  const dashes = words.indexOf('--');
  return (dashes < 0 ? words : words.slice(0, dashes)).includes('--json');
}

/** @param ending aborts when the program is to end early */
export async function main(given: string[], ending: AbortSignal): Promise<number> {
  const words = commandFirst(given);
  const output = new Output(asksForJson(words));
  if (words[0] === undefined || words[0] === '--help' || words[0] === '-h' || words[0] === 'help') {
    const asked = find(words.slice(1));
    if (asked === undefined) overview(commands, output);
    else help(asked.command, output);
    return 0;
  }
  if (words[0] === '--version') {
    output.line(BIVOUAC_VERSION);
    return 0;
  }
  const found = find(words);
  let url = '';
  try {
    if (found === undefined) throw unknown(words);
    const dashes = found.rest.indexOf('--');
    const own = dashes < 0 ? found.rest : found.rest.slice(0, dashes);
    const { values, positionals } = parseArgs({ args: own, options: parseConfig(found.command), allowPositionals: true });
    if (values.help === true) {
      help(found.command, output);
      return 0;
    }
    const named = { url: values.url as string | undefined, key: values.key as string | undefined };
    return await found.command.run({
      client: () => {
        const { url: address, key } = account(named);
        url = address;
        return new WorkspaceClient({ apiUrl: address, apiKey: key, fetch: quickFetch });
      },
      output,
      words: positionals,
      rest: dashes < 0 ? [] : found.rest.slice(dashes + 1),
      options: values as Record<string, string | boolean | string[] | undefined>,
      signal: ending,
    });
  } catch (failure) {
    // Whatever failed then failed because of it.
    if (ending.reason instanceof Ended) return ending.reason.exitCode;
    return explain(failure, output, url);
  } finally {
    output.clearProgress();
  }
}

function unknown(words: string[]): UsageError {
  const group = commands.filter((command) => command.name.startsWith(`${words[0]} `)).map((command) => command.name);
  return group.length > 0
    ? new UsageError(`There is ${group.join(', ')}. Help: bivouac --help`)
    : new UsageError(`There is no command '${words[0]}'. Help: bivouac --help`);
}
