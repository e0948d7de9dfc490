import { createWriteStream } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { recordingOf, type Recording, type RecordingInfo } from '@bivouac/sdk';
import { number, sandboxOf, text, UsageError, word, type Command, type Context } from '../command.js';
import { relative, size } from '../output.js';
import { replay } from '../replay.js';

export const terminalRecordings: Command = {
  name: 'terminal recordings',
  usage: '[options]',
  summary: 'List the terminals whose output was kept',
  options: { sandbox: { type: 'string', value: 'ID', words: 'only those of this sandbox' } },
  examples: ['bivouac terminal recordings', 'bivouac terminal recordings --sandbox sbx-…'],
  async run(context) {
    const sandboxId = await sandboxOf(context);
    const found: RecordingInfo[] = [];
    for await (const one of context.client().recordings.list(sandboxId === undefined ? {} : { sandboxId }, { signal: context.signal })) found.push(one);
    context.output.value(found, () =>
      context.output.table(
        ['TERMINAL', 'SANDBOX', 'BEGAN', 'SIZE', 'WHOLE', 'COMMAND'],
        found.map((one) => [one.terminalId, one.sandboxId, relative(one.startedAt), size(one.size), one.complete ? 'yes' : 'not yet', one.command]),
        { drop: ['SIZE', 'WHOLE', 'SANDBOX'] },
      ),
    );
    return 0;
  },
};

const LONGEST_PAUSE = 2;

export const terminalReplay: Command = {
  name: 'terminal replay',
  usage: 'TERMINAL|FILE.cast [options]',
  summary: 'Show again what a recorded terminal showed; space pauses, q ends',
  options: {
    speed: { type: 'string', value: 'FACTOR', words: '2 is twice as fast (default: 1)' },
    pause: { type: 'string', value: 'SECONDS', words: `the longest pause (default: ${LONGEST_PAUSE}; 0 has none)` },
    save: { type: 'string', value: 'FILE', words: 'keep it as an asciicast file instead' },
  },
  completes: 'recording',
  examples: ['bivouac terminal replay pty-…', 'bivouac terminal replay pty-… --speed 4', 'bivouac terminal replay pty-… --save demo.cast', 'bivouac terminal replay demo.cast'],
  async run(context) {
    const source = word(context, 0, 'The terminal');
    const file = text(context, 'save');
    if (file !== undefined) return save(context, source, file);
    const speed = number(context, 'speed') ?? 1;
    const longestPause = number(context, 'pause') ?? LONGEST_PAUSE;
    if (speed <= 0) throw new UsageError('--speed must be more than 0.');
    if (longestPause < 0) throw new UsageError('--pause must not be less than 0.');
    const recording = await open(context, source);
    if (context.output.json) return print(context, recording);
    tellSize(context, recording);
    await replay(recording, { speed, longestPause, signal: context.signal });
    return 0;
  },
};

/** From a file that was saved, or from the server. */
async function open(context: Context, source: string): Promise<Recording> {
  if (!source.endsWith('.cast')) return context.client().recordings.open(source, { signal: context.signal });
  return recordingOf((await openFile(source)).readLines());
}

async function save(context: Context, source: string, file: string): Promise<number> {
  const answer = await context.client().recordings.download(source, { signal: context.signal });
  if (answer.body === null) throw new Error('The server sent nothing.');
  await pipeline(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(file));
  context.output.value({ file }, () => context.output.line(`Kept in ${file}`));
  return 0;
}

async function print(context: Context, recording: Recording): Promise<number> {
  context.output.line(JSON.stringify(recording.header));
  for await (const event of recording) context.output.line(JSON.stringify(event));
  return 0;
}

function tellSize(context: Context, { header }: Recording): void {
  const { columns, rows, isTTY } = process.stdout;
  if (isTTY && (columns < header.cols || rows < header.rows)) {
    context.output.note(`It was recorded with ${header.cols} columns and ${header.rows} rows; here are ${columns} and ${rows}.`);
  }
}
