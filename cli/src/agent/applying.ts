import { chmod, copyFile, lstat, mkdir, readlink, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSame, scan, type Change, type Tree } from './tree.js';

/** Brings changes home: from the folder that holds them to ours. Gives the paths that were changed here meanwhile. */
export async function apply(changed: Change[], from: string, to: string, before: Tree, after: Tree): Promise<string[]> {
  const now = await scan(to);
  const refused = changed.filter(({ path }) => !isSame(now.get(path), before.get(path)) && !isSame(now.get(path), after.get(path)));
  const wanted = changed.filter((change) => !refused.includes(change));
  // What goes first makes room: a file where a folder was, and the other way round. The deepest go first.
  for (const { path } of wanted.filter(({ kind }) => kind !== 'added').reverse()) {
    const [was, is] = [before.get(path), after.get(path)];
    if (is === undefined || is.type !== was?.type) await remove(join(to, path));
  }
  for (const { path, kind } of wanted) if (kind !== 'removed') await bring(join(from, path), join(to, path), to);
  return refused.map(({ path }) => path);
}

async function remove(path: string): Promise<void> {
  const facts = await lstat(path).catch(absent);
  if (facts === undefined) return;
  if (!facts.isDirectory()) return rm(path);
  // One that holds something new of ours stays.
  await rmdir(path).catch((failure: unknown) => {
    if ((failure as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw failure;
  });
}

async function bring(source: string, target: string, root: string): Promise<void> {
  await mustBeFolder(dirname(target), root);
  const facts = await lstat(source);
  if (facts.isDirectory()) {
    await mkdir(target, { recursive: true });
    return;
  }
  // Under another name first: a link at the target is replaced, and never followed.
  const fresh = `${target}.bivouac-${process.pid}`;
  if (facts.isSymbolicLink()) await symlink(await readlink(source), fresh);
  else {
    await copyFile(source, fresh);
    await chmod(fresh, facts.mode & 0o777);
  }
  await rename(fresh, target);
}

/** No part of the way may be a link, which could lead elsewhere. */
async function mustBeFolder(path: string, root: string): Promise<void> {
  if (path === root) return;
  await mustBeFolder(dirname(path), root);
  const facts = await lstat(path).catch(absent);
  if (facts === undefined) await mkdir(path);
  else if (!facts.isDirectory()) throw new Error(`${path} is no folder.`);
}

function absent(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== 'ENOENT') throw failure;
}
