/** What an error tells beside its sentence. */
export interface ErrorFacts {
  /** The number in the server's error table; 0 when no server said anything. */
  code: number;
  /** The name in that table. */
  name: string;
  /** The HTTP status, when there was an answer. */
  status?: number | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
  requestId?: string | undefined;
  /** How long the server asks to wait, in milliseconds. */
  retryAfter?: number | undefined;
}

/** The root of every error that this package throws; only an abort throws its signal's own reason. */
export class WorkspaceError extends Error {
  readonly code: number;
  override readonly name: string;
  readonly status: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options);
    this.code = facts.code;
    this.name = facts.name;
    this.status = facts.status;
    this.details = facts.details ?? {};
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }
}

/** The server could not be reached, or the connection was lost. */
export class ConnectionError extends WorkspaceError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 0, name: 'CONNECTION_FAILED' }, { cause });
  }
}

/** The server took longer to answer than this call may wait. */
export class TimeoutError extends WorkspaceError {
  constructor(milliseconds: number) {
    super(`No answer within ${milliseconds} ms.`, { code: 0, name: 'TIMEOUT' });
  }
}

/** The server answered something that this package does not understand: another version, or no Bivouac at all. */
export class UnexpectedAnswerError extends WorkspaceError {
  constructor(message: string, status?: number, requestId?: string) {
    super(message, { code: 0, name: 'UNEXPECTED_ANSWER', status, requestId });
  }
}
