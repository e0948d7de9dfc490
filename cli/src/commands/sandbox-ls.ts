import type { FileInfo } from '@bivouac/sdk';
import { flag, number, text, word, type Command } from '../command.js';
import { plain, relative, type Output } from '../output.js';

const KIND = { file: '-', folder: 'd', link: 'l', other: '?' } as const;

export const sandboxLs: Command = {
  name: 'sandbox ls',
  usage: 'SANDBOX [PATH] [options]',
  summary: 'List a folder of a sandbox: PATH, or its workspace',
  completes: 'sandbox',
  options: {
    long: { type: 'boolean', short: 'l', words: 'with mode, owner, size and time' },
    depth: { type: 'string', value: 'N', words: 'also what is in folders below, so many levels' },
    user: { type: 'string', value: 'USER', words: 'whose permissions count in the sandbox' },
  },
  examples: ['bivouac sandbox ls sbx-…', 'bivouac sandbox ls -l sbx-… /etc'],
  async run(context) {
    const { output } = context;
    const sandbox = await context.client().sandbox.get(word(context, 0, 'The sandbox'), { signal: context.signal });
    const path = context.words[1] ?? '.';
    const depth = number(context, 'depth') ?? 1;
    const found: FileInfo[] = [];
    const options = { signal: context.signal, user: text(context, 'user') };
    for await (const entry of sandbox.files.list(path, { depth, limit: 10_000 }, options)) found.push(entry);
    output.value(found, () => show(found, depth > 1, flag(context, 'long'), output));
    return 0;
  },
};

function show(found: FileInfo[], whole: boolean, long: boolean, output: Output): void {
  const named = (entry: FileInfo): string => plain(whole ? entry.path : entry.name) + (entry.type === 'folder' ? '/' : '');
  if (!long) {
    found.forEach((entry) => output.line(entry.type === 'folder' ? output.colour(named(entry), 'cyan') : named(entry)));
    return;
  }
  output.table(
    ['MODE', 'OWNER', 'SIZE', 'CHANGED', 'NAME'],
    found.map((entry) => [
      KIND[entry.type] + entry.mode,
      `${entry.user}:${entry.group}`,
      String(entry.size),
      relative(entry.modifiedAt),
      entry.target === undefined ? named(entry) : `${named(entry)} -> ${plain(entry.target)}`,
    ]),
  );
}
