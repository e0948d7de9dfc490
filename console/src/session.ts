import { UnauthorizedError, WorkspaceClient } from '@bivouac/sdk';

/** Who is logged in. The key itself stays with the server's cookie, which no script can read. */
export interface Session {
  project: string;
  role: 'admin' | 'developer' | 'viewer';
  system: boolean;
  expiresAt: string;
}

const SESSION = '/api/v1/session';

/** What a page elsewhere cannot send: with a cookie alone nothing can be changed. */
export const OURS = { 'X-Bivouac-Console': '1' };

export const client = new WorkspaceClient({ apiUrl: location.origin, headers: OURS });

export async function present(): Promise<Session | undefined> {
  const answer = await fetch(SESSION);
  return answer.ok ? ((await answer.json()) as Session) : undefined;
}

export async function logIn(key: string): Promise<Session> {
  const answer = await fetch(SESSION, { method: 'POST', headers: { ...OURS, Authorization: `Bearer ${key}` } });
  if (answer.ok) return (await answer.json()) as Session;
  const problem = (await answer.json().catch(() => ({}))) as { detail?: string };
  throw new Error(problem.detail ?? `The server answered ${answer.status}.`);
}

export async function logOut(): Promise<void> {
  await fetch(SESSION, { method: 'DELETE', headers: OURS });
}

export function isLoggedOut(failure: unknown): boolean {
  return failure instanceof UnauthorizedError;
}
