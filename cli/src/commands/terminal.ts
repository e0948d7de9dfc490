import type { PTYInfo } from '@bivouac/sdk';
import { flag, text, UsageError, word, type Command, type Context } from '../command.js';
import { interact, screenSize } from '../interactive.js';
import { relative } from '../output.js';
import { SEALING, sealing } from '../sealing.js';

export const terminalList: Command = {
  name: 'terminal list',
  usage: '[SANDBOX]',
  summary: 'List terminals: of a sandbox, or of all that run',
  completes: 'sandbox',
  examples: ['bivouac terminal list', 'bivouac terminal list web'],
  async run(context) {
    const items: PTYInfo[] = [];
    for await (const one of terminals(context, context.words[0])) items.push(one);
    context.output.value(items, () =>
      context.output.table(
        ['ID', 'SANDBOX', 'STATUS', 'CREATED', 'COMMAND'],
        items.map((one) => [one.id, one.sandboxId, one.status, relative(one.createdAt), one.command]),
        { empty: 'There are no terminals. Open one with: bivouac exec -it SANDBOX', drop: ['CREATED', 'SANDBOX'] },
      ),
    );
    return 0;
  },
};

async function* terminals(context: Context, name: string | undefined): AsyncGenerator<PTYInfo, void, void> {
  const { sandbox } = context.client();
  const call = { signal: context.signal };
  if (name !== undefined) return yield* sandbox.reference(name).pty.list(call);
  for await (const one of sandbox.list({ state: 'running', limit: 500 }, call)) yield* one.pty.list(call);
}

export const terminalKill: Command = {
  name: 'terminal kill',
  usage: '[SANDBOX] TERMINAL',
  summary: 'End a terminal and what runs in it',
  examples: ['bivouac terminal kill pty-…', 'bivouac terminal kill web pty-…'],
  async run(context) {
    const id = word(context, context.words.length > 1 ? 1 : 0, 'The terminal');
    const sandbox = context.words.length > 1 ? word(context, 0, 'The sandbox') : await sandboxOfTerminal(context, id);
    await context.client().sandbox.reference(sandbox).pty.kill(id, { signal: context.signal });
    context.output.value({ id }, () => context.output.line(`${id} has ended.`));
    return 0;
  },
};

async function sandboxOfTerminal(context: Context, id: string): Promise<string> {
  for await (const one of terminals(context, undefined)) if (one.id === id) return one.sandboxId;
  throw new Error(`There is no terminal ${id} in a running sandbox. See what there is with: bivouac terminal list`);
}

export const terminalAttach: Command = {
  name: 'terminal attach',
  usage: 'SANDBOX TERMINAL [--view] [--sealed]',
  summary: 'Attach to an open terminal',
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
    // Host keys are remembered by id, and not by name.
    const sandbox = await context.client().sandbox.get(word(context, 0, 'The sandbox'), { signal: context.signal });
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
