import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { nearest } from '../src/nearest.js';
import { Output } from '../src/output.js';

/** What a terminal of this width would show. */
function shown(columns: number, print: (output: Output) => void): string[] {
  const stream = Object.assign(new PassThrough(), { isTTY: true, columns }) as unknown as NodeJS.WriteStream;
  let text = '';
  (stream as unknown as PassThrough).on('data', (bytes: Buffer) => (text += bytes.toString()));
  print(new Output('people', stream, stream));
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001b\[\d*m/g, '').trimEnd().split('\n');
}

const HEAD = ['ID', 'STATE', 'NAME'];
const ROWS = [['sbx-0123456789', 'running', 'web']];

test('a list drops columns before it wraps, and cuts what is still too long', () => {
  const list = (output: Output): void => output.table(HEAD, ROWS, { drop: ['STATE', 'ID'] });
  expect(shown(80, list)).toEqual(['ID              STATE    NAME', 'sbx-0123456789  running  web']);
  expect(shown(25, list)).toEqual(['ID              NAME', 'sbx-0123456789  web']);
  expect(shown(10, list)).toEqual(['NAME', 'web']);
  expect(shown(10, (output) => output.table(HEAD, ROWS))).toEqual(['ID       …', 'sbx-01234…']);
});

test('an empty list says what to do', () => {
  expect(shown(80, (output) => output.table(HEAD, [], { empty: 'There are none.' }))).toEqual(['There are none.']);
});

test('the nearest word is the one that was meant', () => {
  const words = ['list', 'create', 'extend', 'template list', 'name'];
  expect(nearest('lst', words)).toBe('list');
  expect(nearest('craete', words)).toBe('create');
  expect(nearest('templ', words)).toBe('template list');
  expect(nearest('zebra', words)).toBeUndefined();
});
