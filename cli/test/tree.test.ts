import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { apply } from '../src/agent/applying.js';
import { changes, scan } from '../src/agent/tree.js';

let root: string;
let ours: string;
let theirs: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bivouac-tree-'));
  ours = join(root, 'ours');
  theirs = join(root, 'theirs');
  mkdirSync(join(ours, 'src/deep'), { recursive: true });
  mkdirSync(join(ours, '.git/hooks'), { recursive: true });
  writeFileSync(join(ours, 'same'), 'same');
  writeFileSync(join(ours, 'changed'), 'before');
  writeFileSync(join(ours, 'script'), '#!/bin/sh\n');
  writeFileSync(join(ours, 'src/deep/gone'), '');
  writeFileSync(join(ours, 'becomes-folder'), '');
  mkdirSync(join(ours, 'becomes-file'));
  cpSync(ours, theirs, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('what came, changed and went is brought home, and nothing of .git', async () => {
  const before = await scan(ours);
  writeFileSync(join(theirs, 'changed'), 'after');
  chmodSync(join(theirs, 'script'), 0o755);
  rmSync(join(theirs, 'src/deep'), { recursive: true });
  mkdirSync(join(theirs, 'new/folder'), { recursive: true });
  writeFileSync(join(theirs, 'new/folder/file'), 'new');
  symlinkSync('changed', join(theirs, 'link'));
  rmSync(join(theirs, 'becomes-folder'));
  mkdirSync(join(theirs, 'becomes-folder'));
  writeFileSync(join(theirs, 'becomes-folder/inner'), '');
  rmSync(join(theirs, 'becomes-file'), { recursive: true });
  writeFileSync(join(theirs, 'becomes-file'), 'file');
  writeFileSync(join(theirs, '.git/hooks/pre-commit'), 'run me');
  const after = await scan(theirs);
  const changed = changes(before, after);
  expect(changed.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'changed becomes-file',
    'changed becomes-folder',
    'added becomes-folder/inner',
    'changed changed',
    'added link',
    'added new',
    'added new/folder',
    'added new/folder/file',
    'changed script',
    'removed src/deep',
    'removed src/deep/gone',
  ]);
  expect(await apply(changed, theirs, ours, before, after)).toEqual([]);
  expect(changes(await scan(ours), after)).toEqual([]);
  expect(readFileSync(join(ours, 'changed'), 'utf8')).toBe('after');
  expect(lstatSync(join(ours, 'script')).mode & 0o111).toBe(0o111);
  expect(readlinkSync(join(ours, 'link'))).toBe('changed');
  expect(existsSync(join(ours, '.git/hooks/pre-commit'))).toBe(false);
});

test('what was changed here meanwhile stays as it is', async () => {
  const before = await scan(ours);
  writeFileSync(join(theirs, 'changed'), 'theirs');
  writeFileSync(join(theirs, 'same'), 'both');
  writeFileSync(join(ours, 'changed'), 'ours');
  writeFileSync(join(ours, 'same'), 'both');
  const after = await scan(theirs);
  expect(await apply(changes(before, after), theirs, ours, before, after)).toEqual(['changed']);
  expect(readFileSync(join(ours, 'changed'), 'utf8')).toBe('ours');
  expect(readFileSync(join(ours, 'same'), 'utf8')).toBe('both');
});

test('no change lands outside of the folder by a link', async () => {
  const outside = join(root, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'untouched');
  const before = await scan(ours);
  writeFileSync(join(theirs, 'changed'), 'theirs');
  mkdirSync(join(theirs, 'new'));
  writeFileSync(join(theirs, 'new/secret'), 'taken over');
  const after = await scan(theirs);
  // Made between the look and the copy, as by a program that runs here.
  symlinkSync(outside, join(ours, 'new'));
  expect(await apply(changes(before, after), theirs, ours, before, after).catch((failure: unknown) => String(failure))).toMatch(/is no folder|new/);
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('untouched');
});
