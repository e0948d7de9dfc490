import { createInterface } from 'node:readline/promises';
import type { Permission, PermissionAnswer, PermissionScope } from '@bivouac/sdk';
import { flag, sandboxOf, seconds, text, UsageError, type Command, type Context } from '../command.js';
import { plain, relative } from '../output.js';
import { answered, byKey, keysOf, questions } from '../questions.js';

export const approve: Command = {
  name: 'approve',
  usage: '[ID] [options]',
  summary: 'Answer what programs in sandboxes ask to be allowed',
  options: {
    list: { type: 'boolean', words: 'only show what is open' },
    deny: { type: 'boolean', words: 'say no' },
    for: { type: 'string', value: 'TIME', words: 'allow the same again for so long, as 10m or 2h' },
    scope: { type: 'string', value: 'HOW_FAR', words: 'of a yes to the network: once, sandbox or template' },
    reason: { type: 'string', value: 'TEXT', words: 'told to the program' },
    sandbox: { type: 'string', value: 'SANDBOX', words: 'only of this sandbox' },
  },
  examples: [
    'bivouac approve                       # waits for questions and asks you each',
    'bivouac approve --list',
    'bivouac approve perm_01jd… --for 10m',
    "bivouac approve perm_01jd… --deny --reason 'not on a Friday'",
  ],
  async run(context) {
    const [id] = context.words;
    if (flag(context, 'deny') && text(context, 'for') !== undefined) throw new UsageError('--for is for a yes; --deny says no.');
    if (id !== undefined) return answerOne(context, id);
    if (flag(context, 'list')) return list(context);
    if (!process.stdin.isTTY || context.output.json) return watch(context);
    return converse(context);
  },
};

function verdict(context: Context): PermissionAnswer {
  const time = text(context, 'for');
  const reason = text(context, 'reason');
  const scope = text(context, 'scope');
  if (scope !== undefined && !isScope(scope)) throw new UsageError(`--scope is ${SCOPES.join(', ')}, not '${scope}'.`);
  return {
    granted: !flag(context, 'deny'),
    ...(time === undefined ? {} : { expiresAt: new Date(Date.now() + seconds(time, '--for') * 1000) }),
    ...(reason === undefined ? {} : { reason }),
    ...(scope === undefined ? {} : { scope }),
  };
}

const SCOPES: readonly PermissionScope[] = ['once', 'sandbox', 'template'];

function isScope(given: string): given is PermissionScope {
  return SCOPES.some((scope) => scope === given);
}

async function answerOne(context: Context, id: string): Promise<number> {
  const after = await context.client().permissions.answer(id, verdict(context), { signal: context.signal });
  context.output.value(after, () => context.output.line(after.state === 'open' ? 'Approved; more approvers have to agree.' : `The request was ${after.state}.`));
  return 0;
}

async function list(context: Context): Promise<number> {
  const items: Permission[] = [];
  for await (const item of open(context)) items.push(item);
  const { output } = context;
  output.value(items, () =>
    output.table(
      ['ID', 'SANDBOX', 'WHO', 'WHAT', 'WITH', 'ENDS'],
      items.map((one) => [one.id, one.sandboxId, one.source, one.action, one.resource.slice(0, 60), relative(one.expiresAt)]),
      { empty: 'Nothing is waiting for an answer.', drop: ['WHO', 'SANDBOX'] },
    ),
  );
  return 0;
}

async function* open(context: Context): AsyncIterable<Permission> {
  const sandboxId = await sandboxOf(context);
  yield* context.client().permissions.list({ state: 'open', ...(sandboxId === undefined ? {} : { sandboxId }) }, { signal: context.signal });
}

/** For programs, and where nobody can type: prints what is asked. */
async function watch(context: Context): Promise<number> {
  for await (const item of questions(context.client(), context.signal, await sandboxOf(context))) {
    context.output.value(item, () => describe(context, item));
  }
  return 0;
}

async function converse(context: Context): Promise<number> {
  const client = context.client();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // It takes Ctrl-C for itself, also while nothing is asked.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    context.output.note('Waiting for questions; Ctrl-C ends.');
    for await (const item of questions(client, context.signal, await sandboxOf(context))) {
      describe(context, item);
      const answer = await choose(context, terminal, item);
      if (answer === undefined) continue;
      context.output.line(await answered(client, item, answer, context.signal));
    }
    return 0;
  } finally {
    terminal.close();
  }
}

async function choose(context: Context, terminal: ReturnType<typeof createInterface>, item: Permission): Promise<PermissionAnswer | undefined> {
  const keys = `${keysOf(item)}  [10m] allow so long  [s] skip: `;
  for (;;) {
    const said = (await terminal.question(keys, { signal: context.signal })).trim();
    if (said === 's') return undefined;
    const answer = byKey(item, said);
    if (answer !== undefined) return answer;
    if (/^\d+(s|m|h)$/.test(said)) return { granted: true, expiresAt: new Date(Date.now() + seconds(said, '--for') * 1000) };
  }
}

function describe({ output }: Context, item: Permission): void {
  output.line(`${output.colour(plain(item.action), 'bold')} ${plain(item.resource)}`);
  if (item.description !== '') output.line(`  why      ${plain(item.description)}`);
  output.line(`  where    ${item.sandboxId} ${plain(item.cwd)}`);
  output.line(`  who      ${plain(item.source)}`);
  if (item.input !== '') output.line(`  input    ${plain(item.input)}${item.inputBytes > Buffer.byteLength(item.input) ? ` (of ${item.inputBytes} bytes)` : ''}`);
  output.line(`  request  ${item.id}, ends ${relative(item.expiresAt)}`);
}
