import { WorkspaceClient } from '@bivouac/sdk';
import { account, type Account } from './account.js';
import { UsageError, type Command } from './command.js';
import { commands, sections } from './commands/all.js';
import { Ended } from './ending.js';
import { explain } from './failure.js';
import { groupHelp, help, overview } from './help.js';
import { nearest } from './nearest.js';
import { Output, type Format } from './output.js';
import { parse } from './parsing.js';
import { quickFetch } from './quick-fetch.js';

declare const BIVOUAC_VERSION: string;

const names = (command: Command): string[] => [command.name, ...(command.aliases ?? [])];

/** The command with the longest name that the words begin with. */
function find(words: string[]): { command: Command; rest: string[] } | undefined {
  let found: { command: Command; rest: string[] } | undefined;
  let longest = 0;
  for (const command of commands) {
    for (const name of names(command)) {
      const parts = name.split(' ');
      if (parts.length > longest && parts.every((part, i) => words[i] === part)) {
        longest = parts.length;
        found = { command, rest: words.slice(parts.length) };
      }
    }
  }
  return found;
}

/** The commands that begin with a word, as `sandbox`. */
function groupOf(word: string | undefined): Command[] {
  return commands.filter((command) => command.name.startsWith(`${word} `));
}

const VALUED = ['--url', '--key', '--context', '--output', '-o'];

/** Options may also stand before the command: they are the same there. */
function commandFirst(words: string[]): string[] {
  let options = 0;
  while (words[options] === '--json' || VALUED.includes(words[options] ?? '')) {
    options += words[options] === '--json' ? 1 : 2;
  }
  const before = words.slice(0, options);
  const after = words.slice(options);
  const found = find(after);
  // Right behind the command's name: what comes later may be another program's.
  return found === undefined ? [...after, ...before] : [...after.slice(0, after.length - found.rest.length), ...before, ...found.rest];
}

const FORMATS: readonly Format[] = ['json', 'name', 'wide'];

/** What is asked for before another program's words begin. */
function formatOf(words: string[]): Format {
  const found = find(words);
  if (found === undefined) return words.includes('--json') ? 'json' : 'people';
  try {
    const { json, output } = parse(found.command, found.rest).options;
    return json === true ? 'json' : (FORMATS.find((format) => format === output) ?? 'people');
  } catch {
    // What is wrong with it is told later.
    const dashes = words.indexOf('--');
    return (dashes < 0 ? words : words.slice(0, dashes)).includes('--json') ? 'json' : 'people';
  }
}

function mustBeFormat(command: Command, given: unknown): void {
  // Where a command has an option of that name, it is its own.
  if (typeof given !== 'string' || command.options?.output !== undefined || FORMATS.some((format) => format === given)) return;
  throw new UsageError(`--output is ${FORMATS.join(', ')}, not '${given}'.`);
}

const HELP = ['--help', '-h', 'help'];

/** Undefined when it is not help that is asked for. */
function helped(words: string[], output: Output): number | undefined {
  const [first, second] = words;
  if (first === '--version') {
    output.line(BIVOUAC_VERSION);
    return 0;
  }
  if (first === undefined || HELP.includes(first)) return about(words.slice(1), output);
  const group = groupOf(first);
  if (group.length === 0 || find(words) !== undefined) return undefined;
  if (second !== undefined && HELP.includes(second)) return about([first, ...words.slice(2)], output);
  if (second !== undefined) return undefined;
  groupHelp(first, group, (line) => output.note(line));
  return 2;
}

function about(words: string[], output: Output): number {
  const asked = find(words);
  const group = groupOf(words[0]);
  if (asked !== undefined) help(asked.command, output);
  else if (group.length > 0) groupHelp(words[0] ?? '', group, (line) => output.line(line));
  else overview(sections, output);
  return 0;
}

/** @param ending aborts when the program is to end early */
export async function main(given: string[], ending: AbortSignal): Promise<number> {
  const words = commandFirst(given);
  const output = new Output(formatOf(words));
  const answered = helped(words, output);
  if (answered !== undefined) return answered;
  const found = find(words);
  let used: Account | undefined;
  try {
    if (found === undefined) throw unknown(words);
    const { options, words: own, rest, dashed } = parse(found.command, found.rest);
    if (options.help === true) {
      help(found.command, output);
      return 0;
    }
    mustBeFormat(found.command, options.output);
    const named = { url: options.url, key: options.key, context: options.context } as { url?: string; key?: string; context?: string };
    const chosen = (): Account => (used ??= account(named));
    return await found.command.run({
      client: () => {
        const { url, key } = chosen();
        return new WorkspaceClient({ apiUrl: address(url), apiKey: key, fetch: quickFetch });
      },
      account: chosen,
      output,
      words: own,
      rest,
      dashed,
      options,
      signal: ending,
    });
  } catch (failure) {
    // Whatever failed then failed because of it.
    if (ending.reason instanceof Ended) return ending.reason.exitCode;
    return explain(failure, output, used);
  } finally {
    output.clearProgress();
  }
}

function address(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new UsageError(`The server's URL must look like http://127.0.0.1:8080, not '${url}'.`);
  return url;
}

function unknown(words: string[]): UsageError {
  const [first = '', second = ''] = words;
  const group = groupOf(first);
  if (group.length > 0) {
    const verbs = group.map((command) => command.name.slice(first.length + 1));
    return new UsageError(`There is no command '${first} ${second}'.${meant(second, verbs, `${first} `)} Help: bivouac ${first} --help`);
  }
  const all = new Set(commands.flatMap(names).flatMap((name) => [name, name.split(' ')[0] ?? name]));
  return new UsageError(`There is no command '${first}'.${meant(first, all)} Help: bivouac --help`);
}

function meant(word: string, candidates: Iterable<string>, before = ''): string {
  const near = nearest(word, candidates);
  return near === undefined ? '' : ` Did you mean: bivouac ${before}${near}?`;
}
