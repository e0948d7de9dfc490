import { ConnectionError, WorkspaceError } from '@bivouac/sdk';
import { UsageError } from './command.js';
import type { Output } from './output.js';

const UNAUTHORIZED = 1001;

/** As other shells' programs have it: 2 for a wrong call, 1 for what went wrong, 128 + n after signal n. */
export const EXIT = { FAILED: 1, USAGE: 2, HUNG_UP: 129, INTERRUPTED: 130, TERMINATED: 143 } as const;

/** Says what went wrong and what to do next. */
export function explain(failure: unknown, output: Output, url: string): number {
  const wrongCall = failure instanceof UsageError || isParseError(failure);
  const known = failure instanceof WorkspaceError ? failure : undefined;
  const message = failure instanceof Error ? failure.message : String(failure);
  if (output.json) {
    const name = known?.name ?? (wrongCall ? 'WRONG_CALL' : 'FAILED');
    output.note(JSON.stringify({ code: known?.code ?? 0, name, message, details: known?.details ?? {} }));
  } else {
    output.note(`bivouac: ${message}${known === undefined ? '' : advice(known, url)}`);
  }
  return wrongCall ? EXIT.USAGE : EXIT.FAILED;
}

function isParseError(failure: unknown): boolean {
  const code = (failure as { code?: unknown }).code;
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
}

function advice(failure: WorkspaceError, url: string): string {
  if (failure instanceof ConnectionError) return `\nIs the server running at ${url}? Another one: bivouac login, or --url.`;
  switch (failure.code) {
    case UNAUTHORIZED:
      return '\nLog in with: bivouac login';
    case 2001:
      return '\nSee what there is with: bivouac sandbox list';
    case 2002:
      return '\nSee what there is with: bivouac template list';
    case 2003:
      return '\nSee what there is with: bivouac sandbox list; delete with: bivouac sandbox delete ID';
    default:
      return failure.requestId === undefined || failure.code < 9000 ? '' : `\nThe server's log has more under ${failure.requestId}.`;
  }
}
