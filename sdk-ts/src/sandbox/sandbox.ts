/// <reference lib="esnext.disposable" preserve="true" />
import { SandboxNotFoundError } from '../generated/errors.js';
import { HIDDEN, INSPECT } from '../http/inspecting.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { CodeService } from '../code/code-service.js';
import { FileService } from '../files/file-service.js';
import { PortService } from './port-service.js';
import { ProcessService } from './process-service.js';
import { PTYService } from './pty-service.js';
import type { SandboxService } from './sandbox-service.js';
import type { DeleteParams, Egress, LogLine, LogParams, SandboxInfo, SandboxStats } from './types.js';
import { openTerminal, type Terminal, type TerminalOptions } from '../terminal/terminal.js';

// The fields are those of SandboxInfo, as the last answer had them.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export interface Sandbox extends Omit<SandboxInfo, 'ports'>, AsyncDisposable {}

/** A sandbox, and what can be done with it. `await using` deletes it at the end of its scope. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class Sandbox {
  readonly process: ProcessService;
  readonly pty: PTYService;
  readonly files: FileService;
  readonly ports: PortService;
  readonly code: CodeService;
  readonly #transport: Transport;
  readonly #service: SandboxService;

  constructor(transport: Transport, service: SandboxService, info: SandboxInfo) {
    const { ports, ...facts } = info;
    Object.assign(this, facts);
    this.#transport = transport;
    this.#service = service;
    this.process = new ProcessService(transport, info.id);
    this.pty = new PTYService(transport, info.id);
    this.files = new FileService(transport, info.id);
    this.ports = new PortService(transport, info.id, ports);
    this.code = new CodeService(transport, info.id);
  }

  /** Opens a terminal, or attaches to one that is there. */
  terminal(options: TerminalOptions = {}): Promise<Terminal> {
    return openTerminal(this.#transport, this.pty, options);
  }

  /** Where a program finds a port of the sandbox, with a key or the sandbox's access token. For a browser: `ports.link`. */
  url(port: number): string {
    return this.ports.access(port).url;
  }

  /** Reads its present state into this object. */
  async refresh(options: CallOptions = {}): Promise<this> {
    return this.#become(await this.#service.get(this.id, options));
  }

  async extend(seconds: number, options: CallOptions = {}): Promise<this> {
    return this.#become(await this.#service.extend(this.id, seconds, options));
  }

  /** Replaces the hosts that it may reach. Connections that are no longer allowed are cut. */
  async setEgress(egress: string[] | Egress, options: CallOptions = {}): Promise<this> {
    return this.#become(await this.#service.setEgress(this.id, egress, options));
  }

  async stop(options: CallOptions = {}): Promise<this> {
    return this.#become(await this.#service.stop(this.id, options));
  }

  async start(options: CallOptions = {}): Promise<this> {
    return this.#become(await this.#service.start(this.id, options));
  }

  /** Freezes its processes where they are; it keeps its memory, and its time goes on. */
  async pause(options: CallOptions = {}): Promise<this> {
    return this.#become(await this.#service.pause(this.id, options));
  }

  async resume(options: CallOptions = {}): Promise<this> {
    return this.#become(await this.#service.resume(this.id, options));
  }

  delete(params: DeleteParams = {}, options: CallOptions = {}): Promise<void> {
    return this.#service.delete(this.id, params, options);
  }

  logs(params: LogParams = {}, options: CallOptions = {}): Promise<{ lines: LogLine[] }> {
    return this.#service.logs(this.id, params, options);
  }

  stats(options: CallOptions = {}): Promise<SandboxStats> {
    return this.#service.stats(this.id, options);
  }

  /** Plain data, without what can be done with it. */
  toJSON(): SandboxInfo {
    return plain(this);
  }

  /** What a console shows: no secret. */
  [INSPECT](): unknown {
    const { accessToken, ...facts } = this.toJSON();
    return accessToken === undefined ? facts : { ...facts, accessToken: HIDDEN };
  }

  #become(other: Sandbox): this {
    // What only a create answers stays; a reason or an address that is over goes.
    delete this.stateReason;
    delete this.stopReason;
    delete this.nfs;
    delete this.expiredFiles;
    this.ports.published = other.ports.published;
    const { ports: _, ...facts } = plain(other);
    return Object.assign(this, facts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.delete();
    } catch (failure) {
      // Whoever deleted it before its scope ended has what they wanted.
      if (!(failure instanceof SandboxNotFoundError)) throw failure;
    }
  }
}

const DOES = ['process', 'pty', 'files', 'ports', 'code'];

/** Without what a sandbox can do. */
function plain(sandbox: Sandbox): SandboxInfo {
  const facts = Object.entries(sandbox).filter(([name]) => !DOES.includes(name));
  const { published } = sandbox.ports;
  return { ...(Object.fromEntries(facts) as unknown as SandboxInfo), ...(published === undefined ? {} : { ports: published }) };
}
