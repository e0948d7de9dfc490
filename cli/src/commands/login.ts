import { createInterface } from 'node:readline';
import { WorkspaceClient } from '@bivouac/sdk';
import { account, forget, keep } from '../account.js';
import { text, UsageError, word, type Command, type Context } from '../command.js';

export const login: Command = {
  name: 'login',
  usage: '[URL] [--key KEY]',
  summary: 'Keep a server and a key for later commands',
  examples: ['bivouac login', 'bivouac login https://sandboxes.example.org', "bivouac login < api-key   # the key from a file"],
  async run(context) {
    const url = context.words[0] === undefined ? account({ url: text(context, 'url') }).url : word(context, 0, 'URL');
    const key = text(context, 'key') ?? (await ask(`API key for ${url}: `));
    if (key === '') throw new UsageError('A key is needed; the server prints one when it starts for the first time.');
    // A wrong address or key is told now, not at the next command.
    await new WorkspaceClient({ apiUrl: url, apiKey: key }).templates.list({ signal: context.signal });
    const file = keep({ url, key });
    context.output.value({ url, file }, () => context.output.line(`Logged in at ${url}; kept in ${file}`));
    return 0;
  },
};

export const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'Forget the kept server and key',
  examples: ['bivouac logout'],
  run(context: Context) {
    forget();
    context.output.value({}, () => context.output.line('Logged out.'));
    return Promise.resolve(0);
  },
};

/** From the terminal without showing it, or the first line of what is piped in. */
async function ask(question: string): Promise<string> {
  const { stdin, stderr } = process;
  const lines = createInterface({ input: stdin, output: stdin.isTTY ? stderr : undefined, terminal: stdin.isTTY });
  if (stdin.isTTY) {
    stderr.write(question);
    // The typed key is not echoed; only the end of the line is.
    (lines as unknown as { _writeToOutput(text: string): void })._writeToOutput = () => undefined;
  }
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      if (stdin.isTTY) stderr.write('\n');
      resolve(line.trim());
      lines.close();
    });
    lines.once('close', () => resolve(''));
  });
}
