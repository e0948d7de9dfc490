import type { PTYInfo } from '@bivouac/sdk';
import { flag, text, UsageError, word, type Command } from '../command.js';
import { interact, screenSize } from '../interactive.js';
import { relative } from '../output.js';
import { SEALING, sealing } from '../sealing.js';

export const terminalList: Command = {
  name: 'terminal list',
  usage: 'SANDBOX',
  summary: "List a sandbox's terminals",
  completes: 'sandbox',
  examples: ['bivouac terminal list sbx-…'],
  async run(context) {
    const { pty } = context.client().sandbox.reference(word(context, 0, 'The sandbox'));
    const items: PTYInfo[] = [];
    for await (const one of pty.list({ signal: context.signal })) items.push(one);
    context.output.value(items, () =>
      context.output.table(
        ['ID', 'STATUS', 'CREATED', 'COMMAND'],
        items.map((one) => [one.id, one.status, relative(one.createdAt), one.command]),
      ),
    );
    return 0;
  },
};

export const terminalAttach: Command = {
  name: 'terminal attach',
  usage: 'SANDBOX TERMINAL [--view] [--sealed]',
  summary: 'Come to a terminal that is there, with its screen as it is',
  options: {
    view: { type: 'boolean', words: 'only look' },
    ...SEALING,
    'guest-of': { type: 'string', value: 'KEY', words: 'the public key of the owner who let yours in (see: terminal key)' },
    admit: { type: 'string', value: 'KEY', words: 'let this public key look on, in your own sealed terminal' },
  },
  completes: 'sandbox',
  examples: ['bivouac terminal attach sbx-… pty-…', 'bivouac terminal attach sbx-… pty-… --view'],
  async run(context) {
    const view = flag(context, 'view');
    if (!view && !process.stdin.isTTY) throw new UsageError('There is no terminal here to type in; --view only looks.');
    const sandbox = context.client().sandbox.reference(word(context, 0, 'The sandbox'));
    const id = word(context, 1, 'The terminal');
    const seal = sealing(context, text(context, 'guest-of'));
    const terminal = await sandbox.terminal({
      id,
      role: view ? 'viewer' : 'driver',
      signal: context.signal,
      ...(seal === undefined ? {} : { sealed: seal }),
    });
    const guest = text(context, 'admit');
    if (guest !== undefined) await (seal ?? mustBeSealed()).admit(guest);
    if (!view && process.stdout.isTTY) {
      const { cols, rows } = screenSize();
      terminal.resize(cols, rows);
    }
    return interact(terminal, view ? undefined : process.stdin, context.signal);
  },
};

function mustBeSealed(): never {
  throw new UsageError('Only sealed terminals are opened to keys: add --sealed.');
}
