import type { CallOptions } from '@bivouac/sdk';
import { OURS } from './session.js';

/** What the console asks beside the SDK; problems become errors with the server's words. */
export async function call<T>(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown, { signal }: CallOptions = {}): Promise<T> {
  const answer = await fetch(`/api/v1${path}`, {
    method,
    headers: { ...OURS, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
  const problem = (await answer.json().catch(() => ({}))) as { detail?: string };
  throw new Error(problem.detail ?? `The server answered ${answer.status}.`);
}
