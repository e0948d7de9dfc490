import { Listing, type Page } from '../http/listing.js';
import { serverSentEvents } from '../http/server-sent-events.js';
import type { Call, Contents, Transport } from '../http/transport.js';
import type {
  ArchiveFormat,
  Download,
  FileEvent,
  FileInfo,
  FileOptions,
  FileLink,
  LinkParams,
  ListFilesParams,
  ReadParams,
  WatchParams,
  WriteParams,
} from './types.js';

export type { Contents } from '../http/transport.js';
export type * from './types.js';

/** The longest that a timer takes: contents of any size take as long as they take. */
const UNLIMITED = 2 ** 31 - 1;

/** The files of a sandbox. Relative paths start in /workspace. */
export class FileService {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, sandbox: string) {
    this.#transport = transport;
    this.#path = `/api/v1/sandboxes/${encodeURIComponent(sandbox)}/files`;
  }

  /** The text of a file. */
  async read(path: string, params: ReadParams = {}, options: FileOptions = {}): Promise<string> {
    return new TextDecoder().decode(await this.readBytes(path, params, options));
  }

  async readBytes(path: string, params: ReadParams = {}, options: FileOptions = {}): Promise<Uint8Array> {
    const { stream } = await this.download(path, params, options);
    return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
  }

  /** The bytes of a file as they arrive, at the reader's pace. */
  async download(path: string, params: ReadParams = {}, options: FileOptions = {}): Promise<Download> {
    const call = this.#call({ path }, options, range(params));
    const response = await this.#transport.stream('GET', `${this.#path}/content`, call, 'application/octet-stream');
    return downloadOf(response);
  }

  /** Writes a file all at once: a reader sees the old one or the new one. Text is written as UTF-8. */
  write(path: string, contents: Contents, params: WriteParams = {}, options: FileOptions = {}): Promise<FileInfo> {
    const headers: Record<string, string> = {};
    if (params.onlyNew === true) headers['If-None-Match'] = '*';
    if (params.ifMatch !== undefined) headers['If-Match'] = params.ifMatch;
    const call = this.#call({ path, mode: params.mode, parents: params.parents }, options, headers);
    // A condition that was met is not met again when the answer to it was lost.
    const repeatable = params.onlyNew !== true && params.ifMatch === undefined && !(contents instanceof ReadableStream);
    return this.#transport.json('PUT', `${this.#path}/content`, { timeout: UNLIMITED, ...call, contents, repeatable });
  }

  /** The same as write, with missing folders made. */
  upload(path: string, contents: Contents, params: WriteParams = {}, options: FileOptions = {}): Promise<FileInfo> {
    return this.write(path, contents, { parents: true, ...params }, options);
  }

  /** The entries of a folder in the order of their paths; `for await` goes through all pages. */
  list(path = '.', params: ListFilesParams = {}, options: FileOptions = {}): Listing<FileInfo> {
    const { cursor, ...query } = params;
    const page = (next: string | undefined): Promise<Page<FileInfo>> =>
      this.#transport.json('GET', this.#path, this.#call({ path, ...query, cursor: next }, options));
    return new Listing(page, cursor);
  }

  /** One entry: of a link itself, not of what it leads to. */
  stat(path: string, options: FileOptions = {}): Promise<FileInfo> {
    return this.#transport.json('GET', `${this.#path}/stat`, this.#call({ path }, options));
  }

  /** Makes a folder and those above it; one that is there is good enough. */
  makeDir(path: string, params: { mode?: string } = {}, options: FileOptions = {}): Promise<FileInfo> {
    const body = { path, parents: true, ...params };
    return this.#transport.json('POST', `${this.#path}/folders`, { ...this.#call({}, options), body, repeatable: true });
  }

  move(from: string, to: string, params: { overwrite?: boolean } = {}, options: FileOptions = {}): Promise<FileInfo> {
    return this.#transport.json('POST', `${this.#path}/move`, { ...this.#call({}, options), body: { from, to, ...params } });
  }

  async remove(path: string, params: { recursive?: boolean } = {}, options: FileOptions = {}): Promise<void> {
    await this.#transport.json('DELETE', this.#path, this.#call({ path, ...params }, options));
  }

  /** Changes the mode, or the owner, which mostly only root may. */
  change(path: string, params: { mode?: string; user?: string }, options: FileOptions = {}): Promise<FileInfo> {
    return this.#transport.json('PATCH', this.#path, { ...this.#call({}, options), body: { path, ...params } });
  }

  /** A whole folder as it is packed. */
  async archive(path: string, format: ArchiveFormat = 'tar', options: FileOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#transport.stream('GET', `${this.#path}/archive`, this.#call({ path, format }, options), '*/*');
    return downloadOf(response).stream;
  }

  /** Unpacks a tar or tar.gz into a folder, which is made if it is missing; no entry may lie outside of it. */
  unpack(path: string, archive: Contents, options: FileOptions = {}): Promise<{ entries: number }> {
    return this.#transport.json('PUT', `${this.#path}/archive`, { timeout: UNLIMITED, ...this.#call({ path }, options), contents: archive });
  }

  /** What changes in a folder from now on. Ending the iteration ends the watch. */
  async *watch(path = '.', params: WatchParams = {}, options: FileOptions = {}): AsyncGenerator<FileEvent, void, void> {
    const response = await this.#transport.stream('GET', `${this.#path}/watch`, this.#call({ path, ...params }, options));
    for await (const { data } of serverSentEvents(response)) {
      if (data !== undefined) yield JSON.parse(data) as FileEvent;
    }
  }

  /** A URL that works without a key, for this path and method alone, until it expires. */
  link(params: LinkParams, options: FileOptions = {}): Promise<FileLink> {
    return this.#transport.json('POST', `${this.#path}/links`, { ...this.#call({}, options), body: params });
  }

  #call(query: NonNullable<Call['query']>, options: FileOptions, headers: Record<string, string> = {}): Call {
    const { user, ...rest } = options;
    return { ...rest, query: { ...query, user }, headers };
  }
}

function range(params: ReadParams): Record<string, string> {
  if (params.offset === undefined && params.length === undefined) return {};
  const first = params.offset ?? 0;
  const last = params.length === undefined ? '' : first + params.length - 1;
  return { Range: `bytes=${first}-${last}` };
}

function downloadOf(response: Response): Download {
  const empty = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  return {
    stream: response.body ?? empty,
    size: Number(response.headers.get('Bivouac-Size') ?? response.headers.get('Content-Length') ?? 0),
    etag: response.headers.get('ETag') ?? '',
  };
}
