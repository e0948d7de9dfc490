import { createInterface } from 'node:readline/promises';
import type { Permission, PermissionAnswer, WorkspaceClient } from '@bivouac/sdk';
import { flag, sandboxOf, seconds, text, UsageError, type Command, type Context } from '../command.js';
import { plain, relative } from '../output.js';

const DECIDED = 4302;

export const approve: Command = {
  name: 'approve',
  usage: '[ID] [options]',
  summary: 'Answer what programs in sandboxes ask to be allowed',
  options: {
    list: { type: 'boolean', words: 'only show what is open' },
    deny: { type: 'boolean', words: 'say no' },
    for: { type: 'string', value: 'TIME', words: 'allow the same again for so long, as 10m or 2h' },
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
  return {
    granted: !flag(context, 'deny'),
    ...(time === undefined ? {} : { expiresAt: new Date(Date.now() + seconds(time, '--for') * 1000) }),
    ...(reason === undefined ? {} : { reason }),
  };
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

/** What is open, and then each question as it comes; each once. */
async function* questions(context: Context, client: WorkspaceClient): AsyncGenerator<Permission, void, void> {
  const only = await sandboxOf(context);
  const seen = new Set<string>();
  const stream = client.events({ types: ['permission.requested'], signal: context.signal });
  const events = stream[Symbol.asyncIterator]();
  // Asked for before the list is read, so that nothing falls between the two.
  let next = events.next();
  await Promise.race([stream.ready, next]);
  for (;;) {
    for await (const item of open(context)) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    for (;;) {
      const { value: event, done } = await next;
      if (done === true) return;
      next = events.next();
      if (event.type === 'gap') break;
      const { requestId, sandboxId } = event.data;
      if (seen.has(requestId) || (only !== undefined && only !== sandboxId)) continue;
      seen.add(requestId);
      const item = await client.permissions.get(requestId, { signal: context.signal });
      if (item.state === 'open') yield item;
    }
  }
}

/** For programs, and where nobody can type: prints what is asked. */
async function watch(context: Context): Promise<number> {
  for await (const item of questions(context, context.client())) {
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
    for await (const item of questions(context, client)) {
      describe(context, item);
      const answer = await choose(context, terminal);
      if (answer === undefined) continue;
      try {
        const after = await client.permissions.answer(item.id, answer, { signal: context.signal });
        context.output.line(after.state === 'open' ? 'Approved; more approvers have to agree.' : after.state);
      } catch (failure) {
        if ((failure as { code?: unknown }).code !== DECIDED) throw failure;
        context.output.line('It has its answer already.');
      }
    }
    return 0;
  } finally {
    terminal.close();
  }
}

async function choose(context: Context, terminal: ReturnType<typeof createInterface>): Promise<PermissionAnswer | undefined> {
  for (;;) {
    const said = (await terminal.question('[y] allow once  [10m] allow so long  [n] deny  [s] skip: ', { signal: context.signal })).trim();
    if (said === 's') return undefined;
    if (said === 'y') return { granted: true };
    if (said === 'n') return { granted: false };
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
