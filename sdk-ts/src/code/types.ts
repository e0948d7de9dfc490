import type { CallOptions } from '../http/transport.js';
import type { CodeResult } from './code-result.js';

export type CodeLanguage = 'python' | 'java' | 'javascript' | 'typescript' | 'go' | 'bash';

/** What every run of code may be given. */
export interface CodeParams {
  /** The session's, or `python`, when absent. */
  language?: CodeLanguage | undefined;
  /** A session, or its id; when absent the default one of the language, which the sandbox keeps. */
  session?: CodeSession | string | undefined;
  /** How long it may run, in seconds. After that it is interrupted, and then ended. */
  timeout?: number | undefined;
  /** Environment variables of this run alone. */
  envs?: Record<string, string> | undefined;
  /** Ends the run: the code is interrupted. */
  signal?: AbortSignal | undefined;
}

/** Each is called as it comes, and waited for: a slow one holds back the program. */
export interface CodeCallbacks {
  onStart?: ((run: { executionId: string; sessionId: string }) => unknown) | undefined;
  onStdout?: ((text: string) => unknown) | undefined;
  onStderr?: ((text: string) => unknown) | undefined;
  onResult?: ((result: CodeResult) => unknown) | undefined;
  onError?: ((error: CodeFailure) => unknown) | undefined;
}

/** What the code raised. It is a result: the call itself went well. */
export interface CodeFailure {
  /** Such as `ZeroDivisionError`. */
  name: string;
  value: string;
  /** As the language prints it. */
  traceback: string;
}

/** How a run ended. */
export interface CodeExit {
  ok: boolean;
  /** How many runs the session has had. */
  executionCount: number;
  durationMs: number;
  /** Whether the session still has its variables. */
  session: 'kept' | 'lost';
  timedOut: boolean;
}

/** What running code tells. */
export type CodeEvent =
  | { type: 'start'; executionId: string; sessionId: string }
  | { type: 'stdout' | 'stderr'; data: string }
  | { type: 'result'; result: CodeResult }
  | ({ type: 'error' } & CodeFailure)
  | ({ type: 'exit' } & CodeExit);

/** An interpreter that keeps its variables from one run to the next. */
export interface CodeSession {
  id: string;
  language: CodeLanguage;
  cwd: string;
  /** A dead one has a fresh interpreter at its next run. */
  state: 'starting' | 'idle' | 'busy' | 'dead';
  /** How many runs it has had. */
  executionCount: number;
  createdAt: string;
  usedAt: string;
}

export interface CodeSessionParams extends CallOptions {
  /** Where it starts; /workspace when absent. */
  cwd?: string | undefined;
}
