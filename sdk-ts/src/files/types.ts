import type { CallOptions } from '../http/transport.js';

export type FileType = 'file' | 'folder' | 'link' | 'other';

/** A file, folder or link of a sandbox. */
export interface FileInfo {
  path: string;
  name: string;
  type: FileType;
  size: number;
  /** Octal, such as "0644". */
  mode: string;
  user: string;
  group: string;
  modifiedAt: string;
  /** What a link says. */
  target?: string;
  etag: string;
}

export interface FileOptions extends CallOptions {
  /** Whose permissions count in the sandbox; its ordinary user by default. */
  user?: string | undefined;
}

export interface ListFilesParams {
  /** 1, the folder's own entries, by default; at most 16. */
  depth?: number;
  /** Entries of one page, at most 10,000. */
  limit?: number;
  cursor?: string;
}

export interface ReadParams {
  /** The first byte. */
  offset?: number;
  length?: number;
}

export interface WriteParams {
  /** Octal, such as "0755". As the file that is replaced by default, or 0644. */
  mode?: string | undefined;
  /** Makes missing folders above it. */
  parents?: boolean | undefined;
  /** Only if there is nothing at the path. */
  onlyNew?: boolean | undefined;
  /** Only if the file still has this version. */
  ifMatch?: string | undefined;
}

/** Contents as they arrive, and what they are of. */
export interface Download {
  stream: ReadableStream<Uint8Array>;
  size: number;
  etag: string;
}

export type ArchiveFormat = 'tar' | 'tar.gz' | 'zip';

export interface WatchParams {
  recursive?: boolean;
}

/** What has happened below a watched folder; after an overflow, look again. */
export type FileEvent =
  | { type: 'created' | 'changed' | 'removed'; path: string; folder: boolean }
  | { type: 'moved'; path: string; to: string; folder: boolean }
  | { type: 'overflow' };

export interface FileLink {
  url: string;
  method: 'GET' | 'PUT';
  expiresAt: string;
}

export interface LinkParams {
  path: string;
  method?: 'GET' | 'PUT';
  expiresInSeconds?: number;
}
