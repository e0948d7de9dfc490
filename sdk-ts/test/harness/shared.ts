import { appendFileSync } from 'node:fs';
import { inject } from 'vitest';
import { WorkspaceClient } from '../../src/index.js';

/** The server that all test files share. */
export const url = inject('serverUrl');
export const key = inject('serverKey');

export function newClient(more: Partial<ConstructorParameters<typeof WorkspaceClient>[0]> = {}): WorkspaceClient {
  return new WorkspaceClient({ apiUrl: url, apiKey: key, ...more });
}

/** A project of its own, so that nobody else's sandboxes are seen. */
export async function newProject(): Promise<WorkspaceClient> {
  return newClient({ apiKey: await newProjectKey() });
}

/** The admin's key of a new project; a caller may have only so many terminals. */
export async function newProjectKey(): Promise<string> {
  const made = await fetch(`${url}/api/v1/projects`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: `p-${crypto.randomUUID()}` }),
  });
  const { key: text } = (await made.json()) as { key: string };
  appendFileSync(inject('keysFile'), `${text}\n`);
  return text;
}
