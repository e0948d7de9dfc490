import type { Session } from '../session.js';
import { client } from '../session.js';

const keys = new Map<string, string>();

/** Reads the keys' names, for those who may see them. */
export async function readKeyNames({ role }: Session): Promise<void> {
  if (role !== 'admin') return;
  try {
    for await (const key of client.keys.list()) keys.set(key.id, key.name);
  } catch {
    // Ids stand for names then.
  }
}

/** The name of a key where it is known, and the id otherwise. */
export function nameOfCaller(id: string): string {
  return keys.get(id) ?? id;
}
