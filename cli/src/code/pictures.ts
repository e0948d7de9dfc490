import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CodeResult } from '@bivouac/sdk';

const ENDINGS: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg', 'application/pdf': 'pdf' };

/** Keeps what a terminal cannot show, as files of a folder that is made when there is something to keep. */
export class Pictures {
  #folder: string | undefined;
  #count = 0;

  /** @param wanted the folder; one of its own among the temporary files when absent */
  constructor(private readonly wanted: string | undefined) {}

  /** Where a result's picture was saved; undefined when it has none. */
  async save(result: CodeResult): Promise<string | undefined> {
    const type = Object.keys(ENDINGS).find((one) => one in result.mimeBundle);
    if (type === undefined) return undefined;
    const bytes = await result.bytes(type);
    const path = join(this.folder(), `${++this.#count}.${ENDINGS[type] ?? 'bin'}`);
    writeFileSync(path, bytes);
    return path;
  }

  private folder(): string {
    if (this.#folder === undefined) {
      if (this.wanted === undefined) this.#folder = mkdtempSync(join(tmpdir(), 'bivouac-pictures-'));
      else mkdirSync((this.#folder = resolve(this.wanted)), { recursive: true });
    }
    return this.#folder;
  }
}
