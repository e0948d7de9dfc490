import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newProjectKey } from '../../sdk-ts/test/harness/shared.js';
import { bivouac as run, environment as shared, type Ended } from './bivouac.js';
import { BIVOUAC, Person } from './person.js';

const key = await newProjectKey();
const environment = (): NodeJS.ProcessEnv => ({ ...shared(), BIVOUAC_API_KEY: key });
const bivouac = (...words: string[]): Promise<Ended> => run(words, { env: environment() });
const folder = mkdtempSync(join(tmpdir(), 'bivouac-replay-'));

let sandbox: string;
beforeAll(async () => {
  sandbox = (JSON.parse((await bivouac('sandbox', 'create', '--json')).stdout) as { id: string }).id;
});
afterAll(async () => {
  await bivouac('sandbox', 'delete', sandbox);
  rmSync(folder, { recursive: true, force: true });
});

interface Recorded {
  terminalId: string;
  complete: boolean;
}

async function recordings(): Promise<Recorded[]> {
  return JSON.parse((await bivouac('terminal', 'recordings', '--sandbox', sandbox, '--json')).stdout) as Recorded[];
}

test('what was recorded is listed, shown again, printed into a pipe and kept as a file', async () => {
  const person = Person.at('recorded', `${BIVOUAC} exec -it --record ${sandbox} -- sh`, environment());
  await person.sees(/[$#]/);
  person.type('echo "shown $((40 + 2))"; exit 3', 'Enter');
  await person.sees('ended with 3');
  await expect.poll(async () => (await recordings())[0]?.complete, { timeout: 60_000, interval: 500 }).toBe(true);
  const id = (await recordings())[0]?.terminalId ?? '';
  expect((await bivouac('terminal', 'recordings')).stdout).toContain(id);

  const piped = await bivouac('terminal', 'replay', id);
  expect(piped).toMatchObject({ code: 0, stderr: '' });
  expect(piped.stdout).toContain('shown 42');
  const events = (await bivouac('terminal', 'replay', id, '--json')).stdout.trim().split('\n').map((line) => JSON.parse(line) as unknown);
  expect(events[0]).toMatchObject({ cols: 100, rows: 30 });
  expect(events.at(-1)).toMatchObject({ type: 'exit', exitCode: 3 });

  const file = join(folder, 'kept.cast');
  expect(await bivouac('terminal', 'replay', id, '--save', file)).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).toMatch(/^\{"version":3/);
  const again = Person.at('again', `${BIVOUAC} terminal replay ${file} --speed 4`, {});
  await again.sees('shown 42');
  await again.sees('ended with 0');
});

test('a person pauses, goes on and leaves, and has the terminal back as it was', async () => {
  const file = join(folder, 'long.cast');
  // Ends on the second screen, without a cursor.
  const lines = ['{"version":3,"term":{"cols":80,"rows":24}}', '[0, "o", "\\u001b[?1049h\\u001b[?25lbegun"]', '[1, "o", " second"]', '[1, "o", " third"]', '[1000, "o", " never"]'];
  writeFileSync(file, lines.join('\n') + '\n');
  const person = Person.at('pauses', `${BIVOUAC} terminal replay ${file} --pause 1000`, {});
  await person.sees('begun');
  person.type('Space');
  const paused = person.screen();
  person.type('Space');
  await person.sees('begun second third');
  expect(paused).toContain('begun');
  person.type('q');
  await person.sees('ended with 0');
  expect(person.screen()).not.toContain('begun');
  person.type('C-c');
});

test('what cannot be replayed says why', async () => {
  expect(await bivouac('terminal', 'replay', 'pty-00000000000000000000000000')).toMatchObject({ code: 1 });
  expect(await bivouac('terminal', 'replay', join(folder, 'none.cast'))).toMatchObject({ code: 1, stderr: expect.stringContaining('no such file') as string });
  const file = join(folder, 'wrong.cast');
  writeFileSync(file, 'hello\n');
  expect(await bivouac('terminal', 'replay', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('Not a line of a recording') as string });
  expect(await bivouac('terminal', 'replay', file, '--speed', '0')).toMatchObject({ code: 2 });
});
