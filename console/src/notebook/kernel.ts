import { call } from '../api.js';
import { OURS } from '../session.js';

export const LANGUAGES = ['python', 'javascript', 'typescript', 'bash', 'java', 'go'] as const;

export type Language = (typeof LANGUAGES)[number];

/** An interpreter that keeps its variables from one run to the next. */
export interface CodeSession {
  id: string;
  language: Language;
  cwd?: string | null;
  state: string;
}

export interface CodeResult {
  id: string;
  main: boolean;
  mimeBundle: Record<string, unknown>;
  chart?: unknown;
}

export type CodeEvent =
  | { type: 'start'; executionId: string; sessionId: string }
  | { type: 'stdout' | 'stderr'; data: string }
  | ({ type: 'result' } & CodeResult)
  | { type: 'error'; name: string; value?: string; message?: string; traceback?: string | string[] }
  | { type: 'status'; kernel: 'busy' | 'idle' }
  | { type: 'exit'; ok: boolean; executionCount: number; durationMs: number; session: 'kept' | 'lost'; timedOut: boolean };

/** The interpreters of one sandbox. */
export class Kernel {
  private readonly path: string;

  constructor(sandboxId: string) {
    this.path = `/sandboxes/${encodeURIComponent(sandboxId)}/code`;
  }

  /** Runs code and yields what it tells as it comes; the last is its exit. */
  async *run(code: string, language: Language, sessionId: string | undefined, signal: AbortSignal): AsyncGenerator<CodeEvent, void, void> {
    const answer = await fetch(`/api/v1${this.path}`, {
      method: 'POST',
      headers: { ...OURS, 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({ language, code, stream: true, ...(sessionId === undefined ? {} : { sessionId }) }),
      signal,
    });
    if (!answer.ok || answer.body === null) {
      const problem = (await answer.json().catch(() => ({}))) as { detail?: string };
      throw new Error(problem.detail ?? `The server answered ${answer.status}.`);
    }
    let rest = '';
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length)) as CodeEvent;
    }
  }

  async sessions(): Promise<CodeSession[]> {
    return (await call<{ items: CodeSession[] }>('GET', `${this.path}/sessions`)).items;
  }

  create(language: Language): Promise<CodeSession> {
    return call('POST', `${this.path}/sessions`, { language });
  }

  interrupt(sessionId: string): Promise<unknown> {
    return call('POST', `${this.path}/sessions/${encodeURIComponent(sessionId)}/interrupt`);
  }

  restart(sessionId: string): Promise<unknown> {
    return call('POST', `${this.path}/sessions/${encodeURIComponent(sessionId)}/restart`);
  }

  end(sessionId: string): Promise<unknown> {
    return call('DELETE', `${this.path}/sessions/${encodeURIComponent(sessionId)}`);
  }
}
