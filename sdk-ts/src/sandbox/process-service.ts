import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { AttachedCommand, type AttachParams } from '../terminal/attached-command.js';
import { CommandStream, type StreamEvent } from './command-stream.js';

/** A shell line, or the words of a command. */
export type Command = string | readonly string[];

export interface RunParams {
  cwd?: string;
  envs?: Record<string, string>;
  /** Another user than the sandbox's ordinary one, where the runtime has others. */
  user?: string;
  /** Text for its standard input. */
  stdin?: string;
  /** Of the command, in milliseconds. */
  timeout?: number;
  /** Of each of stdout and stderr, in bytes. */
  maxOutputSize?: number;
  signal?: AbortSignal;
}

export interface CommandResult {
  commandId: string;
  /** Minus n when signal n ended it. */
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The exact bytes, when they are not UTF-8. */
  stdoutBase64?: string;
  stderrBase64?: string;
  truncated: boolean;
  durationMs: number;
}

/** A command that runs, or ended lately. */
export interface CommandInfo {
  commandId: string;
  command: string;
  pid: number;
  background: boolean;
  running: boolean;
  /** Once it has ended. */
  exitCode?: number;
  startedAt: string;
  stdoutBytes: number;
  stderrBytes: number;
}

/** The server's own limit for commands that name none. */
const DEFAULT_TIMEOUT = 600_000;

/** For the way there and back. */
const GRACE = 30_000;

/** Runs commands in a sandbox. */
export class ProcessService {
  constructor(
    private readonly transport: Transport,
    private readonly sandboxId: string,
  ) {}

  /** Runs a command to its end. An exit code other than 0 is a result, not an error. */
  run(command: Command, params: RunParams = {}): Promise<CommandResult> {
    const { signal, ...body } = params;
    const timeout = (params.timeout ?? DEFAULT_TIMEOUT) + GRACE;
    return this.transport.json('POST', this.path('/run'), { body: { command, ...body }, signal, timeout });
  }

  /** Runs a command and yields what it writes as it comes. A cut connection is taken up where it was. */
  runStream(command: Command, params: RunParams = {}): AsyncGenerator<StreamEvent, void, void> {
    const { signal, ...body } = params;
    const request = { command, ...body, stream: true };
    return new CommandStream(this.transport, this.path(''), signal).run(request);
  }

  /** Starts a command that goes on by itself, and gives its id. */
  async start(command: Command, params: RunParams = {}): Promise<string> {
    const { signal, ...rest } = params;
    const body = { command, ...rest, background: true };
    const started = await this.transport.json<{ commandId: string }>('POST', this.path('/run'), { body, signal });
    return started.commandId;
  }

  /** Runs a command whose input is given while it runs. Programs only: a page has no way to prove itself here. */
  attach(command: readonly string[], params: AttachParams = {}): Promise<AttachedCommand> {
    return AttachedCommand.open(this.transport, this.sandboxId, command, params);
  }

  /** What a command wrote and writes, from the first byte that is still there. */
  output(commandId: string, options: { signal?: AbortSignal } = {}): AsyncGenerator<StreamEvent, void, void> {
    return new CommandStream(this.transport, this.path(''), options.signal).follow(commandId);
  }

  /** Sends a signal, SIGTERM unless said, to the command's whole process group. */
  async kill(commandId: string, signal = 15, options: CallOptions = {}): Promise<void> {
    const path = this.path(`/${encodeURIComponent(commandId)}/kill`);
    await this.transport.json('POST', path, { ...options, body: { signal }, repeatable: true });
  }

  /** What runs, and what ended lately. */
  list(options: CallOptions = {}): Listing<CommandInfo> {
    return new Listing((cursor) =>
      this.transport.json<Page<CommandInfo>>('GET', this.path(''), { ...options, query: { cursor } }),
    );
  }

  private path(rest: string): string {
    return `/api/v1/sandboxes/${encodeURIComponent(this.sandboxId)}/process${rest}`;
  }
}
