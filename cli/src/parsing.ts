import { parseArgs } from 'node:util';
import { COMMON, parseConfig, UsageError, type Command, type Option } from './command.js';
import { nearest } from './nearest.js';

export interface Parsed {
  options: Record<string, string | boolean | string[] | undefined>;
  words: string[];
  /** The words of another program's command. */
  rest: string[];
  /** Whether `--` stands before them. */
  dashed: boolean;
}

/** Reads a command's own words; those of a program that it runs are left as they are. */
export function parse(command: Command, given: string[]): Parsed {
  const end = ownEnd(command, given);
  const own = given.slice(0, end);
  const dashed = given[end] === '--';
  const rest = given.slice(dashed ? end + 1 : end);
  try {
    const { values, positionals } = parseArgs({ args: own, options: parseConfig(command), allowPositionals: true });
    return { options: values as Parsed['options'], words: positionals, rest, dashed };
  } catch (failure) {
    throw inOurWords(failure, command);
  }
}

/** Where `--` stands, or the first word of a program's command. */
function ownEnd(command: Command, given: string[]): number {
  const options: Record<string, Option> = { ...COMMON, ...command.options };
  const byShort = new Map(Object.values(options).map((option) => [option.short, option]));
  let words = 0;
  for (let at = 0; at < given.length; at++) {
    const one = given[at] ?? '';
    if (one === '--') return at;
    if (one.startsWith('--')) {
      if (!one.includes('=') && options[one.slice(2)]?.type === 'string') at++;
    } else if (one.startsWith('-') && one !== '-') {
      if (takesNext(one, byShort)) at++;
    } else if (command.runs !== undefined && words++ === command.runs) {
      return at;
    }
  }
  return given.length;
}

/** `-it` is two flags; in `-eA=1` the value follows at once, after `-e` it is the next word. */
function takesNext(cluster: string, byShort: Map<string | undefined, Option>): boolean {
  for (let i = 1; i < cluster.length; i++) {
    if (byShort.get(cluster[i])?.type === 'string') return i === cluster.length - 1;
  }
  return false;
}

function inOurWords(failure: unknown, command: Command): unknown {
  const { code, message } = failure as { code?: unknown; message: string };
  const named = /'(-[^' ]+)/.exec(message)?.[1] ?? '';
  const help = `Help: bivouac ${command.name} --help`;
  switch (code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION': {
      const near = nearest(named.replace(/^-+/, ''), Object.keys({ ...COMMON, ...command.options }));
      return new UsageError(`There is no option ${named}.${near === undefined ? '' : ` Did you mean --${near}?`} ${help}`);
    }
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return new UsageError(message.includes('does not take') ? `${longName(message)} takes no value. ${help}` : `${longName(message)} needs a value. ${help}`);
    default:
      return failure;
  }
}

function longName(message: string): string {
  return /--[\w-]+/.exec(message)?.[0] ?? 'The option';
}
