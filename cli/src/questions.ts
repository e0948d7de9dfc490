import type { Permission, PermissionAnswer, WorkspaceClient } from '@bivouac/sdk';
import { plain } from './output.js';

const DECIDED = 4302;

/**
 * Permission requests that are open, and then each as it comes; each once. While this runs the server knows that somebody
 * here answers, so that connections to closed hosts wait.
 *
 * @param only the id of the sandbox whose requests are meant, all of the project when absent
 */
export async function* questions(client: WorkspaceClient, signal: AbortSignal, only?: string): AsyncGenerator<Permission, void, void> {
  const seen = new Set<string>();
  const stream = client.events({ types: ['permission.requested'], approver: true, signal });
  const events = stream[Symbol.asyncIterator]();
  // Asked for before the list is read, so that nothing falls between the two.
  const awaited = (): ReturnType<typeof events.next> => {
    const one = events.next();
    // Heard where it is awaited, if it still is.
    one.catch(() => undefined);
    return one;
  };
  let next = awaited();
  await Promise.race([stream.ready, next]);
  for (;;) {
    for await (const item of client.permissions.list({ state: 'open', ...(only === undefined ? {} : { sandboxId: only }) }, { signal })) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    for (;;) {
      const { value: event, done } = await next;
      if (done === true) return;
      next = awaited();
      if (event.type === 'gap') break;
      const { requestId, sandboxId } = event.data;
      if (seen.has(requestId) || (only !== undefined && only !== sandboxId)) continue;
      seen.add(requestId);
      const item = await client.permissions.get(requestId, { signal });
      if (item.state === 'open') yield item;
    }
  }
}

/** Answers, and says how it stands then. */
export async function answered(client: WorkspaceClient, item: Permission, answer: PermissionAnswer, signal: AbortSignal): Promise<string> {
  try {
    const after = await client.permissions.answer(item.id, answer, { signal });
    return after.state === 'open' ? 'Approved; more approvers have to agree.' : after.state;
  } catch (failure) {
    if ((failure as { code?: unknown }).code !== DECIDED) throw failure;
    return 'It has its answer already.';
  }
}

/** The answers by the key that stands for each: a yes to the network may reach further. */
export function keysOf(item: Permission): string {
  return asksForNetwork(item) ? '[y] allow once  [a] for this sandbox  [t] for its template too  [n] deny' : '[y] allow once  [n] deny';
}

export function byKey(item: Permission, key: string): PermissionAnswer | undefined {
  const network = asksForNetwork(item);
  switch (key.toLowerCase()) {
    case 'y':
      return { granted: true, ...(network ? { scope: 'once' } : {}) };
    case 'a':
      return network ? { granted: true, scope: 'sandbox' } : undefined;
    case 't':
      return network ? { granted: true, scope: 'template' } : undefined;
    case 'n':
      return { granted: false };
    default:
      return undefined;
  }
}

export function asksForNetwork(item: Permission): boolean {
  return item.scopes !== undefined && item.scopes.length > 0;
}

/** In one line, as it is told beside a program's own output. */
export function question(item: Permission): string {
  const who = plain(item.source) || 'A program';
  return asksForNetwork(item) ? `${who} wants to reach ${plain(item.resource)}.` : `${who} asks: ${plain(item.action)} ${plain(item.resource)}`;
}
