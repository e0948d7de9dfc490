import type { CallOptions } from '../http/transport.js';

/** A value that code showed, in each form that its language has for it, by media type. */
export class CodeResult {
  readonly id: string;
  /** The value of the last line; the others were shown on the way. */
  readonly main: boolean;
  /** Text as it is; what is binary, as an image, in base64. */
  readonly mimeBundle: Readonly<Record<string, unknown>>;
  /** A chart's own data, where the language's library tells it. */
  readonly chart?: unknown;
  readonly #fetch: FetchResult;

  constructor(wire: ResultFacts, fetch: FetchResult) {
    this.id = wire.id;
    this.main = wire.main;
    this.mimeBundle = wire.mimeBundle;
    if (wire.chart !== undefined) this.chart = wire.chart;
    this.#fetch = fetch;
  }

  /** The forms that it has. */
  get types(): string[] {
    return Object.keys(this.mimeBundle);
  }

  get text(): string | undefined {
    return this.#string('text/plain');
  }

  get html(): string | undefined {
    return this.#string('text/html');
  }

  get markdown(): string | undefined {
    return this.#string('text/markdown');
  }

  get svg(): string | undefined {
    return this.#string('image/svg+xml');
  }

  get json(): unknown {
    return this.mimeBundle['application/json'];
  }

  /** The picture; undefined when it is none. */
  async png(options: CallOptions = {}): Promise<Uint8Array | undefined> {
    return 'image/png' in this.mimeBundle ? this.bytes('image/png', options) : undefined;
  }

  async jpeg(options: CallOptions = {}): Promise<Uint8Array | undefined> {
    return 'image/jpeg' in this.mimeBundle ? this.bytes('image/jpeg', options) : undefined;
  }

  /** One of its forms, as the server keeps it. */
  async bytes(type: string, options: CallOptions = {}): Promise<Uint8Array> {
    return this.#fetch(this.id, type, options);
  }

  #string(type: string): string | undefined {
    const value = this.mimeBundle[type];
    return typeof value === 'string' ? value : undefined;
  }
}

/** A result as it comes over the wire. */
export interface ResultFacts {
  id: string;
  main: boolean;
  mimeBundle: Record<string, unknown>;
  chart?: unknown;
}

export type FetchResult = (id: string, type: string, options: CallOptions) => Promise<Uint8Array>;
