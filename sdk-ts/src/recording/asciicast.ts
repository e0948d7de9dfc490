import { UnexpectedAnswerError } from '../errors/workspace-error.js';

/** How a recorded terminal began. */
export interface RecordingHeader {
  cols: number;
  rows: number;
  /** When it began, in seconds since 1970. */
  timestamp?: number;
}

/** What a recorded terminal did; `after` is the time since what it did before, in seconds. */
export type RecordingEvent =
  | { type: 'output'; after: number; text: string }
  | { type: 'resize'; after: number; cols: number; rows: number }
  | { type: 'marker'; after: number; label: string }
  | { type: 'exit'; after: number; exitCode: number };

const VERSION = 3;

/** The first line of an asciicast. */
export function readHeader(line: string): RecordingHeader {
  const header = parsed(line) as { version?: unknown; term?: { cols?: unknown; rows?: unknown }; timestamp?: unknown };
  if (header.version !== VERSION) throw new UnexpectedAnswerError(`Not an asciicast of version ${VERSION}: ${line.slice(0, 100)}`);
  const { cols, rows } = header.term ?? {};
  if (!isSize(cols) || !isSize(rows)) throw new UnexpectedAnswerError('The recording does not say how large its terminal was.');
  return { cols, rows, ...(typeof header.timestamp === 'number' ? { timestamp: header.timestamp } : {}) };
}

/** Any later line; undefined for what a player has no use for, such as comments and kinds of events yet to come. */
export function readEvent(line: string): RecordingEvent | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const [after, code, data] = parsed(line) as unknown[];
  if (typeof after !== 'number' || !(after >= 0) || typeof data !== 'string') {
    throw new UnexpectedAnswerError(`Not an event of a recording: ${line.slice(0, 100)}`);
  }
  switch (code) {
    case 'o':
      return { type: 'output', after, text: data };
    case 'r': {
      const [cols, rows] = data.split('x').map(Number);
      return isSize(cols) && isSize(rows) ? { type: 'resize', after, cols, rows } : undefined;
    }
    case 'm':
      return { type: 'marker', after, label: data };
    case 'x':
      return { type: 'exit', after, exitCode: Number(data) };
    default:
      return undefined;
  }
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= 10_000;
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below, together with JSON that is no recording's.
  }
  throw new UnexpectedAnswerError(`Not a line of a recording: ${line.slice(0, 100)}`);
}
