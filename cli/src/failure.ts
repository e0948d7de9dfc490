import { ConnectionError, WorkspaceError } from '@bivouac/sdk';
import type { Account } from './account.js';
import { UsageError } from './command.js';
import type { Output } from './output.js';

const UNAUTHORIZED = 1001;

/** As other shells' programs have it: 2 for a wrong call, 1 for what went wrong, 128 + n after signal n. */
export const EXIT = { FAILED: 1, USAGE: 2, HUNG_UP: 129, INTERRUPTED: 130, TERMINATED: 143 } as const;

/** Says what went wrong and what to do next. */
export function explain(failure: unknown, output: Output, account: Account | undefined): number {
  const wrongCall = failure instanceof UsageError;
  const known = failure instanceof WorkspaceError ? failure : undefined;
  const message = failure instanceof Error ? failure.message : String(failure);
  if (output.json) {
    const name = known?.name ?? (wrongCall ? 'WRONG_CALL' : 'FAILED');
    output.note(JSON.stringify({ code: known?.code ?? 0, name, message, details: known?.details ?? {} }));
  } else {
    output.note(`bivouac: ${inOurWords(known, account) ?? message}${known === undefined ? '' : advice(known, account)}`);
  }
  return wrongCall ? EXIT.USAGE : EXIT.FAILED;
}

/** Whoever has no key hears that, and not that it is wrong. */
function inOurWords(failure: WorkspaceError | undefined, account: Account | undefined): string | undefined {
  if (failure === undefined || account === undefined || account.key !== undefined) return undefined;
  if (failure.code === UNAUTHORIZED) return `You are not logged in at ${account.url}.`;
  return failure instanceof ConnectionError && account.assumed === true ? `You are not logged in, and nothing answers at ${account.url}.` : undefined;
}

function advice(failure: WorkspaceError, account: Account | undefined): string {
  if (failure instanceof ConnectionError) {
    if (account?.assumed === true) return '\nLog in with: bivouac login URL';
    return `\nIs the server running at ${account?.url ?? 'that address'}? Another one: bivouac login, or --url.`;
  }
  switch (failure.code) {
    case UNAUTHORIZED:
      return '\nLog in with: bivouac login';
    case 2001:
      return '\nSee what there is with: bivouac ls (or: bivouac sandbox list)';
    case 2002:
      return '\nSee what there is with: bivouac template list';
    case 2003:
      return '\nSee what there is with: bivouac ls; delete with: bivouac rm SANDBOX';
    case 2004:
      return failure.message.includes('is stopped') ? '\nStart it with: bivouac start SANDBOX' : '';
    default:
      return failure.requestId === undefined || failure.code < 9000 ? '' : `\nThe server's log has more under ${failure.requestId}.`;
  }
}
