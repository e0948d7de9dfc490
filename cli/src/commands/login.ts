import { createInterface } from 'node:readline';
import { WorkspaceClient } from '@bivouac/sdk';
import { account, forget, keep, logins, nameOf } from '../account.js';
import { text, UsageError, word, type Command, type Context } from '../command.js';

export const login: Command = {
  name: 'login',
  usage: '[URL] [--key KEY] [--context NAME]',
  summary: 'Keep a server and a key for later commands',
  examples: ['bivouac login', 'bivouac login https://sandboxes.example.org', 'bivouac login http://127.0.0.1:8080 --context local', 'bivouac login < api-key   # the key from a file'],
  async run(context) {
    const name = text(context, 'context');
    const known = logins().find((one) => one.name === name);
    const url = context.words[0] === undefined ? (text(context, 'url') ?? known?.url ?? account({}).url) : word(context, 0, 'URL');
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new UsageError(`URL must look like http://127.0.0.1:8080, not '${url}'.`);
    const key = text(context, 'key') ?? (await ask(`API key for ${url}: `));
    if (key === '') throw new UsageError('A key is needed; the server prints one when it starts for the first time.');
    // A wrong address or key is told now, not at the next command.
    await new WorkspaceClient({ apiUrl: url, apiKey: key }).templates.list({ signal: context.signal });
    const kept = { name: name ?? nameOf(url), url, key };
    const file = keep(kept);
    context.output.value({ context: kept.name, url, file }, () => context.output.line(`Logged in at ${url}; kept in ${file}`));
    return 0;
  },
};

export const logout: Command = {
  name: 'logout',
  usage: '[--context NAME]',
  summary: 'Forget the kept server and key',
  examples: ['bivouac logout', 'bivouac logout --context local'],
  run(context: Context) {
    const { next } = forget(text(context, 'context'));
    context.output.value({ context: next?.name ?? null }, () => context.output.line(next === undefined ? 'Logged out.' : `Logged out. Commands now go to ${next.name}, ${next.url}.`));
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
