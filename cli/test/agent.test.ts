import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bivouac, environment, home } from './bivouac.js';
import { BIVOUAC, Person } from './person.js';

function folder(name: string): string {
  const made = mkdtempSync(join(home, `${name}-`));
  mkdirSync(join(made, 'src'));
  writeFileSync(join(made, 'src/count.txt'), '1\n');
  writeFileSync(join(made, 'old.txt'), '');
  return made;
}

async function sandboxes(): Promise<string[]> {
  return (await bivouac(['ls', '-o', 'name'])).stdout.split('\n').filter((id) => id !== '');
}

const WORK = 'echo 2 >> src/count.txt; rm old.txt; mkdir made; echo new > made/file; exit 3';

test('what an agent changed is brought home, with its exit code', async () => {
  const here = folder('apply');
  const before = new Set(await sandboxes());
  const ended = await bivouac(['run', '--agent-command', WORK, '--changes', 'apply', here]);
  expect(ended).toMatchObject({ code: 3, stderr: expect.stringMatching(/4 paths changed:[^]*A made\n[^]*A made\/file\n[^]*D old.txt\n[^]*M src\/count.txt\n[^]*Applied 4 of 4\./) as string });
  expect(readFileSync(join(here, 'src/count.txt'), 'utf8')).toBe('1\n2\n');
  expect(readFileSync(join(here, 'made/file'), 'utf8')).toBe('new\n');
  expect(existsSync(join(here, 'old.txt'))).toBe(false);
  for (const id of await sandboxes()) {
    // Other tests make sandboxes meanwhile, which have no folder of ours.
    if (!before.has(id)) expect((await bivouac(['exec', id, '--', 'ls', 'src/count.txt'])).code).not.toBe(0);
  }
});

test('where nobody can be asked the sandbox is kept, and what is wrong is said before one is made', async () => {
  const here = folder('keep');
  const ended = await bivouac(['run', '--agent-command', WORK, here]);
  const kept = /bivouac rm (\S+)/.exec(ended.stderr)?.[1] ?? '';
  expect(kept).not.toBe('');
  expect(readFileSync(join(here, 'src/count.txt'), 'utf8')).toBe('1\n');
  expect((await bivouac(['exec', kept, '--', 'cat', 'made/file'])).stdout).toBe('new\n');
  expect(await bivouac(['rm', kept])).toMatchObject({ code: 0 });
  expect(await bivouac(['run', '--agent', 'clod'])).toMatchObject({ code: 2, stderr: expect.stringContaining('claude, codex, aider') as string });
  expect(await bivouac(['run', '--agent-command', 'true', '--changes', 'some', here])).toMatchObject({ code: 2 });
});

test('a person sees the differences and decides', async () => {
  const here = folder('decide');
  const person = Person.at('agent', `${BIVOUAC} run --agent-command 'sh' ${here}`, environment());
  await person.sees(/[$#]/);
  person.type('echo 2 >> src/count.txt; exit', 'Enter');
  await person.sees(/M src\/count\.txt[^]*apply here/);
  person.type('d', 'Enter');
  await person.sees(/^\+2/m);
  person.type('a', 'Enter');
  await person.sees(/Applied 1 of 1\.[^]*ended with 0/);
  expect(readFileSync(join(here, 'src/count.txt'), 'utf8')).toBe('1\n2\n');
});
