import { extname } from 'node:path';
import type { CodeLanguage } from '@bivouac/sdk';
import { UsageError } from '../command.js';
import { nearest } from '../nearest.js';

export const LANGUAGES: readonly CodeLanguage[] = ['python', 'java', 'javascript', 'typescript', 'go', 'bash'];

const BY_ENDING: Record<string, CodeLanguage> = {
  '.py': 'python',
  '.java': 'java',
  '.jsh': 'java',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.ts': 'typescript',
  '.go': 'go',
  '.sh': 'bash',
  '.bash': 'bash',
};

/** The language that was named, or the one that a file's name ends with; Python is what is mostly meant. */
export function languageOf(named: string | undefined, file?: string): CodeLanguage {
  if (named === undefined) return BY_ENDING[extname(file ?? '')] ?? 'python';
  const language = LANGUAGES.find((one) => one === named);
  if (language !== undefined) return language;
  const near = nearest(named, LANGUAGES);
  throw new UsageError(`There is no language '${named}'; there are ${LANGUAGES.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`);
}
