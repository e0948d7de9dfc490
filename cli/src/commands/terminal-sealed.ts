import { writeFileSync } from 'node:fs';
import { openRecording } from '@bivouac/sdk/sealed';
import { text, word, type Command } from '../command.js';
import { ownKey } from '../sealing.js';

export const terminalKey: Command = {
  name: 'terminal key',
  usage: '',
  summary: 'Show your own key for sealed terminals, which others let in with --admit',
  examples: ['bivouac terminal key'],
  run(context) {
    const { publicKey, fingerprint } = ownKey();
    context.output.value({ publicKey, fingerprint }, () => context.output.line(`${publicKey}  ${fingerprint}`));
    return Promise.resolve(0);
  },
};

export const terminalRecording: Command = {
  name: 'terminal recording',
  usage: 'SANDBOX TERMINAL [--output FILE]',
  summary: 'Download what a terminal has shown, as asciicast; a sealed one is opened with your key',
  options: { output: { type: 'string', short: 'o', value: 'FILE', words: 'where to (default: standard output)' } },
  completes: 'sandbox',
  examples: ['bivouac terminal recording sbx-… pty-… -o demo.cast'],
  async run(context) {
    const { pty } = context.client().sandbox.reference(word(context, 0, 'The sandbox'));
    const id = word(context, 1, 'The terminal');
    const info = await pty.get(id, { signal: context.signal });
    const bytes = await pty.recording(id, { signal: context.signal });
    let shown = Buffer.from(bytes);
    if (info.sealed === true) {
      const opened = openRecording(bytes, { key: ownKey(), terminal: id });
      if (!opened.complete) context.output.note('bivouac: the recording has no end yet, or none was kept');
      shown = Buffer.from(opened.text);
    }
    const file = text(context, 'output');
    if (file === undefined) process.stdout.write(shown);
    else writeFileSync(file, shown);
    return 0;
  },
};
