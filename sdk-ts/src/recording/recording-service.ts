import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';
import { lines } from '../http/lines.js';
import { readEvent, readHeader, type RecordingEvent, type RecordingHeader } from './asciicast.js';

/** A terminal whose output was kept. */
export interface RecordingInfo {
  terminalId: string;
  sandboxId: string;
  command: string;
  cols: number;
  rows: number;
  startedAt: string;
  endedAt?: string;
  exitCode?: number;
  /** In bytes, as far as it is stored. */
  size: number;
  /** Nothing more will be added. */
  complete: boolean;
}

/** One recording, event by event; it may be gone through once. */
export interface Recording extends AsyncIterable<RecordingEvent> {
  readonly header: RecordingHeader;
}

const RECORDINGS = '/api/v1/recordings';

/** What terminals have shown, kept as asciicast. */
export class RecordingService {
  constructor(private readonly transport: Transport) {}

  /** The newest first. */
  list(params: { sandboxId?: string; limit?: number } = {}, options: CallOptions = {}): Listing<RecordingInfo> {
    return new Listing((cursor) =>
      this.transport.json<Page<RecordingInfo>>('GET', RECORDINGS, { ...options, query: { ...params, cursor } }),
    );
  }

  /** The file itself, asciicast v3. */
  download(terminalId: string, options: CallOptions = {}): Promise<Response> {
    return this.transport.stream('GET', `${RECORDINGS}/${encodeURIComponent(terminalId)}`, options, 'application/x-asciicast');
  }

  /** Its events as they arrive. Of a terminal that goes on: what is stored so far. */
  async open(terminalId: string, options: CallOptions = {}): Promise<Recording> {
    return recordingOf(lines(await this.download(terminalId, options)));
  }
}

/** A recording from the lines of a file. */
export async function recordingOf(source: AsyncIterable<string>): Promise<Recording> {
  const all = source[Symbol.asyncIterator]();
  const first = await all.next();
  const header = readHeader(first.done ? '' : first.value);
  return {
    header,
    async *[Symbol.asyncIterator]() {
      try {
        for (let next = await all.next(); !next.done; next = await all.next()) {
          const event = readEvent(next.value);
          if (event !== undefined) yield event;
        }
      } finally {
        await all.return?.();
      }
    },
  };
}
