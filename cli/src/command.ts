import type { ParseArgsConfig } from 'node:util';
import type { WorkspaceClient } from '@bivouac/sdk';
import type { Account } from './account.js';
import type { Output } from './output.js';

/** An option of a command, with its words for the help. */
export interface Option {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: boolean;
  /** What stands for the value in the help. */
  value?: string;
  words: string;
}

/** What a command works with. */
export interface Context {
  /** The server; made when it is first asked for, so that help needs none. */
  client(): WorkspaceClient;
  account(): Account;
  output: Output;
  /** Words that are no options. */
  words: string[];
  /** The words of another program's command. */
  rest: string[];
  /** Whether `--` stands before them. */
  dashed: boolean;
  options: Record<string, string | boolean | string[] | undefined>;
  /** Aborts when the program is to end early: by Ctrl-C, another signal, or because nobody reads it any more. */
  signal: AbortSignal;
}

/** One command; `run` gives the exit code. */
export interface Command {
  /** Such as `sandbox create`. */
  name: string;
  /** Shorter ways to say it. */
  aliases?: readonly string[];
  /** What follows the name in the help. */
  usage: string;
  summary: string;
  options?: Record<string, Option>;
  examples: string[];
  /** It runs a program, whose command begins after so many words; options behind that are the program's. */
  runs?: number;
  /** The words that completion offers. */
  completes?: 'context' | 'recording' | 'sandbox' | 'template' | 'webhook';
  run(context: Context): Promise<number>;
}

export const COMMON: Record<string, Option> = {
  json: { type: 'boolean', words: 'print JSON, for programs' },
  output: { type: 'string', short: 'o', value: 'HOW', words: 'json (as --json), name (ids only), or wide (no column left out)' },
  context: { type: 'string', value: 'NAME', words: 'the server and key that login kept under this name (BIVOUAC_CONTEXT)' },
  url: { type: 'string', value: 'URL', words: 'the server (BIVOUAC_URL)' },
  key: { type: 'string', value: 'KEY', words: 'the API key (BIVOUAC_API_KEY); better kept by login' },
  help: { type: 'boolean', short: 'h', words: 'show this help' },
};

export function parseConfig(command: Command): NonNullable<ParseArgsConfig['options']> {
  const all = { ...COMMON, ...command.options };
  return Object.fromEntries(
    Object.entries(all).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(multiple === true ? { multiple } : {}) },
    ]),
  );
}

/** An error in how the command was called. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export function text(context: Context, name: string): string | undefined {
  const value = context.options[name];
  return typeof value === 'string' ? value : undefined;
}

export function texts(context: Context, name: string): string[] {
  const value = context.options[name];
  return Array.isArray(value) ? value : [];
}

export function flag(context: Context, name: string): boolean {
  return context.options[name] === true;
}

export function number(context: Context, name: string): number | undefined {
  const given = text(context, name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() === '' || !Number.isFinite(value)) throw new UsageError(`--${name} must be a number, not '${given}'.`);
  return value;
}

export function word(context: Context, index: number, what: string): string {
  const value = context.words[index];
  if (value === undefined) throw new UsageError(`${what} is missing.`);
  return value;
}

/** The id of the sandbox that --sandbox names, where the server takes only ids. */
export async function sandboxOf(context: Context): Promise<string | undefined> {
  const name = text(context, 'sandbox');
  return name === undefined ? undefined : (await context.client().sandbox.get(name, { signal: context.signal })).id;
}

/** `key=value`, as often as given. */
export function pairs(context: Context, name: string): Record<string, string> | undefined {
  const given = texts(context, name);
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new UsageError(`--${name} must look like key=value, not '${pair}'.`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/** Seconds, or with a unit: 90s, 10m, 2h. */
export function seconds(given: string, name: string): number {
  const match = /^(\d+)(s|m|h)?$/.exec(given);
  if (match === null) throw new UsageError(`${name} must look like 90s, 10m or 2h, not '${given}'.`);
  return Number(match[1]) * { s: 1, m: 60, h: 3600 }[(match[2] ?? 's') as 's' | 'm' | 'h'];
}
