import { ERROR_CLASSES } from '../generated/errors.js';
import { UnexpectedAnswerError, WorkspaceError, type ErrorFacts } from './workspace-error.js';

/** The error for a row of the table; an unknown number, of a newer server, is the root class itself. */
export function errorOf(message: string, facts: ErrorFacts): WorkspaceError {
  const kind = ERROR_CLASSES[facts.code] ?? WorkspaceError;
  return new kind(message, facts);
}

/** The head of an answer, wherever it came by. */
export interface AnswerHead {
  status: number;
  headers: { get(name: string): string | null };
}

/** The error that an answer of problem+json carries. */
export function errorFrom(response: AnswerHead, text: string): WorkspaceError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const problem = parse(text);
  if (typeof problem?.code !== 'number' || typeof problem.name !== 'string') {
    const start = text.slice(0, 200);
    return new UnexpectedAnswerError(`HTTP ${response.status} without a known error: ${start}`, response.status, requestId);
  }
  const details = problem.details;
  return errorOf(typeof problem.detail === 'string' ? problem.detail : problem.name, {
    code: problem.code,
    name: problem.name,
    status: response.status,
    details: isRecord(details) ? details : undefined,
    requestId,
    retryAfter: retryAfter(response.headers.get('retry-after')),
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not JSON: the caller says so, with the beginning of the text.
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function retryAfter(header: string | null): number | undefined {
  const seconds = Number(header);
  return header === null || !Number.isFinite(seconds) ? undefined : seconds * 1000;
}
