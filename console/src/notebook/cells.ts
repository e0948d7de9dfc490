import type { CodeResult, Language } from './kernel.js';

/** What a cell showed, in the order in which it came. */
export type Output = { kind: 'text'; stream: 'stdout' | 'stderr'; text: string } | { kind: 'result'; result: CodeResult } | { kind: 'error'; name: string; text: string };

export interface Cell {
  key: number;
  language: Language;
  source: string;
  outputs: readonly Output[];
  state: 'new' | 'waiting' | 'running' | 'done' | 'failed';
  /** Its number in the session, and how long it took. */
  count?: number;
  tookMs?: number;
  note?: string;
}

/** What is kept of one stream's text in a cell; programs may say more. */
const MOST_TEXT = 400_000;

let last = 0;

export function newCell(language: Language, source = ''): Cell {
  return { key: ++last, language, source, outputs: [], state: 'new' };
}

/** Text goes on where the same stream was. */
export function withText(outputs: readonly Output[], stream: 'stdout' | 'stderr', text: string): Output[] {
  const before = outputs.at(-1);
  if (before?.kind !== 'text' || before.stream !== stream) return [...outputs, { kind: 'text', stream, text }];
  return [...outputs.slice(0, -1), { ...before, text: (before.text + text).slice(-MOST_TEXT) }];
}

/** A carriage return begins its line again, as on a terminal; colours are left out. */
export function plainText(text: string): string {
  return text
    // eslint-disable-next-line no-control-regex
    .replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1))
    .join('\n');
}
