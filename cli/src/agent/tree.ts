import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file or link as it was: what it holds, and how it may be used. */
export interface Entry {
  type: 'file' | 'link' | 'folder';
  /** Of a file's contents, or what a link says. */
  contents: string;
  executable: boolean;
}

/** All below a folder, by path. */
export type Tree = ReadonlyMap<string, Entry>;

export interface Change {
  path: string;
  kind: 'added' | 'changed' | 'removed';
}

/** Git's own files are read by programs that run them: changes of a sandbox to these stay there. */
const LEFT_OUT = '.git';

const EXECUTABLE = 0o111;

export async function scan(root: string): Promise<Tree> {
  const found = new Map<string, Entry>();
  const walk = async (folder: string): Promise<void> => {
    for (const name of (await readdir(join(root, folder))).sort()) {
      if (name === LEFT_OUT) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const facts = await lstat(join(root, path));
      if (facts.isDirectory()) {
        found.set(path, { type: 'folder', contents: '', executable: false });
        await walk(path);
      } else if (facts.isSymbolicLink()) {
        found.set(path, { type: 'link', contents: await readlink(join(root, path)), executable: false });
      } else if (facts.isFile()) {
        found.set(path, { type: 'file', contents: await digest(join(root, path)), executable: (facts.mode & EXECUTABLE) !== 0 });
      }
      // Sockets and devices are nothing that could be brought home.
    }
  };
  await walk('');
  return found;
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('base64');
}

export function isSame(a: Entry | undefined, b: Entry | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.type === b.type && a.contents === b.contents && a.executable === b.executable;
}

/** What became of a tree; folders count where they came or went. */
export function changes(before: Tree, after: Tree): Change[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): Change[] => {
    const [was, is] = [before.get(path), after.get(path)];
    if (isSame(was, is)) return [];
    return [{ path, kind: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed' }];
  });
}
