import { ConnectionError, WorkspaceError } from '@bivouac/sdk';
import { UsageError } from './command.js';
import type { Output } from './output.js';

const UNAUTHORIZED = 1001;

/** As other shells' programs have it: 2 for a wrong call, 1 for what went wrong, 130 after Ctrl-C. */
export const EXIT = { FAILED: 1, USAGE: 2, INTERRUPTED: 130 } as const;

/** Says what went wrong and what to do next. */
export function explain(failure: unknown, output: Output, url: string): number {
  if (failure instanceof UsageError || isParseError(failure)) {
    output.note(`bivouac: ${(failure as Error).message}`);
    return EXIT.USAGE;
  }
  if (failure instanceof WorkspaceError) {
    if (output.json) output.note(JSON.stringify({ code: failure.code, name: failure.name, message: failure.message, details: failure.details }));
    else output.note(`bivouac: ${failure.message}${advice(failure, url)}`);
    return EXIT.FAILED;
  }
  output.note(`bivouac: ${failure instanceof Error ? failure.message : String(failure)}`);
  return EXIT.FAILED;
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
