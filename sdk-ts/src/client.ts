import { EventStream, type EventOf, type EventPattern, type EventStreamOptions } from './events/event-stream.js';
import { Transport } from './http/transport.js';
import { PermissionService } from './permissions/permission-service.js';
import { AuditService } from './project/audit.js';
import { KeyService } from './project/keys.js';
import { ProjectService } from './project/projects.js';
import { SystemService } from './project/system.js';
import { TemplateService } from './project/templates.js';
import { WorkspaceService } from './project/workspaces.js';
import { RecordingService } from './recording/recording-service.js';
import { SandboxService } from './sandbox/sandbox-service.js';
import { TerminalService } from './terminal/terminal-service.js';
import { WebhookService } from './webhooks/webhook-service.js';

export interface WorkspaceClientOptions {
  /** Where the server is. When absent: what the environment variable `BIVOUAC_URL` says, or `http://127.0.0.1:8080`. */
  apiUrl?: string | undefined;
  /**
   * When absent: what the environment variable `BIVOUAC_API_KEY` says. A page that was logged in by the server itself
   * needs none: its cookie stands for it.
   */
  apiKey?: string | undefined;
  /** How long to wait for an answer, in milliseconds. */
  timeout?: number;
  /** How often to try again what may be repeated. */
  retries?: number;
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const DEFAULT_TIMEOUT = 30_000;
const DEFAULT_RETRIES = 4;

/** The way to a Bivouac server. */
export class WorkspaceClient {
  readonly sandbox: SandboxService;
  /** The same as `sandbox`. */
  readonly sandboxes: SandboxService;
  readonly templates: TemplateService;
  readonly workspaces: WorkspaceService;
  readonly terminals: TerminalService;
  readonly recordings: RecordingService;
  readonly webhooks: WebhookService;
  readonly permissions: PermissionService;
  readonly projects: ProjectService;
  readonly keys: KeyService;
  readonly audit: AuditService;
  readonly system: SystemService;
  readonly #transport: Transport;

  constructor(options: WorkspaceClientOptions = {}) {
    const transport = new Transport({
      apiUrl: address(options.apiUrl ?? environment('BIVOUAC_URL') ?? DEFAULT_URL),
      apiKey: options.apiKey ?? environment('BIVOUAC_API_KEY'),
      timeout: options.timeout ?? DEFAULT_TIMEOUT,
      retries: options.retries ?? DEFAULT_RETRIES,
      headers: options.headers ?? {},
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    });
    this.#transport = transport;
    this.sandbox = new SandboxService(transport);
    this.sandboxes = this.sandbox;
    this.templates = new TemplateService(transport);
    this.workspaces = new WorkspaceService(transport);
    this.terminals = new TerminalService(transport);
    this.recordings = new RecordingService(transport);
    this.webhooks = new WebhookService(transport);
    this.permissions = new PermissionService(transport);
    this.projects = new ProjectService(transport);
    this.keys = new KeyService(transport);
    this.audit = new AuditService(transport);
    this.system = new SystemService(transport);
  }

  /** The project's events as they happen. */
  events<Pattern extends EventPattern = '*'>(options: EventStreamOptions<Pattern> = {}): EventStream<EventOf<Pattern>> {
    return new EventStream(this.#transport, options);
  }
}

/** The client under the product's name. */
export class Bivouac extends WorkspaceClient {}

function environment(name: string): string | undefined {
  // A browser has no such thing.
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = process?.env?.[name];
  return value === '' ? undefined : value;
}

/** The address of the server itself: one that leads to its API is taken as well. */
function address(given: string): string {
  const url = /^https?:\/\//i.test(given) && URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) throw new TypeError(`apiUrl must begin with http:// or https://, as http://127.0.0.1:8080; it is "${given}".`);
  url.pathname = url.pathname.replace(/\/api\/v1\/?$/, '/');
  return url.href;
}
