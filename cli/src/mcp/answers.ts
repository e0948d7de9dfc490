import { ConnectionError, WorkspaceError, type Sandbox } from '@bivouac/sdk';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export function text(words: string): CallToolResult {
  return { content: [{ type: 'text', text: words }] };
}

/** As JSON that a program reads and as the same text for a model. */
export function facts(value: Record<string, unknown>): CallToolResult {
  return { ...text(JSON.stringify(value, null, 2)), structuredContent: value };
}

/** Of a sandbox what a model needs; the token that opens its ports stays out of conversations. */
export function shown(sandbox: Sandbox): Record<string, unknown> {
  const { accessToken: _, nfs: __, ...rest } = sandbox.toJSON();
  return { ...rest };
}

/** A failure is the tool's answer, with a way on: a model can act on it, and on an error of the protocol it cannot. */
export async function answered(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (failure) {
    return { ...text(explained(failure)), isError: true };
  }
}

export function explained(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (failure instanceof ConnectionError) return `The Bivouac server cannot be reached: ${message} Its user checks this with: bivouac doctor`;
  if (!(failure instanceof WorkspaceError)) return message;
  return `${message} (${failure.name}, ${failure.code})${advice(failure)}`;
}

function advice({ code, message }: WorkspaceError): string {
  switch (code) {
    case 1001:
      return ' The user logs in with: bivouac login';
    case 2001:
      return ' list_sandboxes shows the sandboxes that there are.';
    case 2002:
      return ' list_templates shows the templates that there are.';
    case 2003:
      return ' delete_sandbox makes room.';
    case 2004:
      return message.includes('is stopped') ? ' start_sandbox starts it.' : '';
    default:
      return '';
  }
}
