import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { bivouac as run, environment as shared, home, type Ended } from './bivouac.js';
import { BIVOUAC, Person } from './person.js';

const key = await newProjectKey();
const environment = (): NodeJS.ProcessEnv => ({ ...shared(), BIVOUAC_API_KEY: key });
const bivouac = (words: string[], input?: string): Promise<Ended> => run(words, { env: environment(), ...(input === undefined ? {} : { input }) });

let id: string;
beforeAll(async () => {
  id = (await bivouac(['create', '-q'])).stdout.trim();
});
afterAll(async () => {
  await bivouac(['rm', id]);
});

test('code of a file, of a word and of a pipe runs in one session', async () => {
  const file = join(home, 'first.py');
  writeFileSync(file, 'x = 20\nprint("from a file")\n');
  expect(await bivouac(['code', 'run', '-s', id, file])).toMatchObject({ code: 0, stdout: 'from a file\n' });
  expect(await bivouac(['code', 'run', '-s', id, '-e', 'x + 1'])).toMatchObject({ code: 0, stdout: '21\n' });
  expect(await bivouac(['code', 'run', '-s', id, '-'], 'x + 2')).toMatchObject({ code: 0, stdout: '22\n' });
  expect(await bivouac(['code', 'run', '-s', id, '-e', '1 / 0'])).toMatchObject({ code: 1, stderr: expect.stringContaining('ZeroDivisionError') as string });
  expect(await bivouac(['code', 'run', '-s', id, '-e', '1', '-L', 'pyton'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean python?') as string });
});

test('a picture is saved, and its path printed', async () => {
  const code = 'class Picture:\n    def _repr_png_(self): return b"\\x89PNG"\nPicture()';
  const { stdout } = await bivouac(['code', 'run', '-s', id, '-e', code, '--pictures', join(home, 'pictures')]);
  expect(readFileSync(stdout.trim())).toEqual(Buffer.from('89504e47', 'hex'));
});

test('a person types code, interrupts it, and finds it again', async () => {
  const person = Person.at('repl', `${BIVOUAC} code repl python -s ${id}`, environment());
  await person.sees('>>>');
  person.type('y = 6 * 7', 'Enter');
  await person.seesAfter(/^42$/m, () => person.type('y', 'Enter'));
  person.type('print("going", flush=True)', 'Enter');
  await person.sees(/^going/m);
  person.type('clear = print("begun", flush=True); [None for _ in iter(int, 1)]', 'Enter');
  await person.sees(/^begun/m);
  person.type('C-c');
  await person.sees('KeyboardInterrupt');
  person.type('C-d');
  await person.sees('ended with 0');
  expect(existsSync(join(home, 'bivouac/history/python'))).toBe(true);
});
