import type { Sandbox, SandboxState } from '@bivouac/sdk';
import { flag, number, pairs, seconds, text, texts, UsageError, word, type Command, type Context } from '../command.js';
import { relative, type Output } from '../output.js';

export function show(sandbox: Sandbox, output: Output): void {
  const rows: Array<[string, string | undefined]> = [
    ['id', sandbox.id],
    ['name', sandbox.name],
    ['state', sandbox.state + (sandbox.stateReason === undefined ? '' : `: ${sandbox.stateReason}`)],
    ['ended by', sandbox.state === 'stopped' ? sandbox.stopReason : undefined],
    ['files', filesOf(sandbox)],
    ['at end', atEnd(sandbox)],
    ['template', sandbox.template],
    ['created', relative(sandbox.createdAt)],
    ['expires', relative(sandbox.expiresAt)],
    ['limits', `${sandbox.resources.cpu} ${sandbox.resources.cpu === 1 ? 'core' : 'cores'}, ${sandbox.resources.memory} memory, ${sandbox.resources.disk} disk`],
    ['network', sandbox.egress.allow.join(', ') || 'none (bivouac sandbox egress SANDBOX --add HOST)'],
    ['mount', sandbox.nfs?.mountCommand],
    ['labels', Object.entries(sandbox.labels).map(([key, value]) => `${key}=${value}`).join(', ') || undefined],
  ];
  for (const [name, value] of rows) if (value !== undefined) output.line(`${output.colour(name.padEnd(9), 'dim')} ${value}`);
}

export const sandboxList: Command = {
  name: 'sandbox list',
  aliases: ['ls', 'ps'],
  usage: '[options]',
  summary: 'List sandboxes, the newest first',
  options: {
    state: { type: 'string', value: 'STATE', words: 'starting, running, paused, stopping, stopped, expired or error' },
    template: { type: 'string', short: 'T', value: 'NAME', words: 'made from this template' },
    label: { type: 'string', short: 'l', multiple: true, value: 'KEY=VALUE', words: 'with this label; may be repeated' },
    filter: { type: 'string', short: 'f', multiple: true, value: 'KEY=VALUE', words: 'state, template, name (its beginning) or label=KEY=VALUE; may be repeated' },
    limit: { type: 'string', value: 'N', words: 'at most so many (default: all)' },
    all: { type: 'boolean', short: 'a', words: 'expired ones too' },
    quiet: { type: 'boolean', short: 'q', words: 'ids only' },
  },
  examples: ['bivouac sandbox list', 'bivouac sandbox list --state running -l team=a', 'bivouac ls -f name=build- -o name', 'bivouac sandbox list -q | xargs bivouac sandbox delete'],
  async run(context) {
    const most = number(context, 'limit') ?? Infinity;
    const found: Sandbox[] = [];
    let expired = 0;
    const { name, ...filter } = filters(context);
    const everything = flag(context, 'all') || filter.state !== undefined;
    const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    for await (const sandbox of context.client().sandbox.list({ ...asked, limit: Math.min(most, 500) }, { signal: context.signal })) {
      if (name !== undefined && sandbox.name?.startsWith(name) !== true) continue;
      if (sandbox.state === 'expired' && !everything) expired++;
      else if (found.push(sandbox) >= most) break;
    }
    const { output } = context;
    if (flag(context, 'quiet')) found.forEach((sandbox) => output.line(sandbox.id));
    else {
      output.value(found, () =>
        output.table(
          ['ID', 'STATE', 'TEMPLATE', 'CREATED', 'EXPIRES', 'NAME'],
          found.map((sandbox) => [sandbox.id, sandbox.state, sandbox.template, relative(sandbox.createdAt), relative(sandbox.expiresAt), sandbox.name ?? '']),
          { empty: 'There are no sandboxes. Make one with: bivouac create', drop: ['CREATED', 'TEMPLATE', 'EXPIRES', 'ID'] },
        ),
      );
      if (expired > 0) output.done(`${expired} expired ${expired === 1 ? 'one is' : 'ones are'} not shown; --all shows them.`);
    }
    return 0;
  },
};

interface Filters {
  state: Exclude<SandboxState, 'deleted'> | undefined;
  template: string | undefined;
  labels: Record<string, string> | undefined;
  name: string | undefined;
}

/** The options of their own, and what --filter says beside them. */
function filters(context: Context): Filters {
  const given = texts(context, 'filter').map((one): [string, string] => {
    const equals = one.indexOf('=');
    const key = equals < 0 ? one : one.slice(0, equals);
    if (equals < 1 || !FILTERS.includes(key)) throw new UsageError(`--filter takes ${FILTERS.map((name) => `${name}=…`).join(', ')}, not '${one}'.`);
    return [key, one.slice(equals + 1)];
  });
  const last = (key: string): string | undefined => given.findLast(([name]) => name === key)?.[1];
  const labels = given.filter(([key]) => key === 'label').map(([, pair]) => pair);
  const all = [...texts(context, 'label'), ...labels];
  return {
    state: (text(context, 'state') ?? last('state')) as Filters['state'],
    template: text(context, 'template') ?? last('template'),
    labels: pairs({ ...context, options: { label: all } }, 'label'),
    name: last('name'),
  };
}

const FILTERS = ['state', 'template', 'name', 'label'];

/** What became of an expired sandbox's files. */
function filesOf({ expiredFiles }: Sandbox): string | undefined {
  if (expiredFiles === undefined) return undefined;
  if (expiredFiles.workspace === undefined || expiredFiles.until === undefined) return 'removed';
  return `kept, removed ${relative(expiredFiles.until)} (bivouac create --workspace ${expiredFiles.workspace} takes them over)`;
}

function atEnd({ state, onExpiry }: Sandbox): string | undefined {
  if (state === 'expired') return undefined;
  return { keep: 'its files are kept for a while', stop: 'it is stopped', delete: 'its files are removed' }[onExpiry];
}

export const sandboxGet: Command = {
  name: 'sandbox get',
  aliases: ['get'],
  usage: 'SANDBOX',
  summary: 'Show a sandbox',
  completes: 'sandbox',
  examples: ['bivouac sandbox get sbx-…'],
  async run(context) {
    const sandbox = await context.client().sandbox.get(word(context, 0, 'The sandbox'), { signal: context.signal });
    context.output.value(sandbox, () => show(sandbox, context.output));
    return 0;
  },
};

export const sandboxMount: Command = {
  name: 'sandbox mount',
  usage: 'SANDBOX [FOLDER]',
  summary: "Print the command that mounts a sandbox's /workspace",
  completes: 'sandbox',
  examples: ['bivouac sandbox mount sbx-…', 'sudo $(bivouac sandbox mount sbx-… /srv/work)'],
  async run(context) {
    const id = word(context, 0, 'The sandbox');
    const sandbox = await context.client().sandbox.get(id, { signal: context.signal });
    if (sandbox.nfs === undefined) throw new Error(`${id} cannot be mounted: ${whyNot(sandbox.state)}`);
    const { nfs } = sandbox;
    const [, folder] = context.words;
    const command = folder === undefined ? nfs.mountCommand : nfs.mountCommand.replace(/ \/mnt$/, () => ` ${folder}`);
    context.output.value({ ...nfs, mountCommand: command }, () => context.output.line(command));
    return 0;
  },
};

function whyNot(state: SandboxState): string {
  return state === 'running' ? 'this server does not export it (see BIVOUAC_NFS).' : `it is ${state}, and only running sandboxes can.`;
}

/** The server's own limit, in seconds. */
const LONGEST_EXTENSION = 3600;

export const sandboxExtend: Command = {
  name: 'sandbox extend',
  aliases: ['extend'],
  usage: 'SANDBOX TIME',
  summary: 'Give a sandbox more time, up to 1h at a time',
  completes: 'sandbox',
  examples: ['bivouac extend web 30m'],
  async run(context) {
    const asked = word(context, 1, 'The time, such as 30m,');
    const by = seconds(asked, 'TIME');
    if (by < 1 || by > LONGEST_EXTENSION) throw new UsageError(`TIME must be between 1s and 1h, not ${asked}; extend again for more.`);
    const sandbox = await context.client().sandbox.extend(word(context, 0, 'The sandbox'), by, { signal: context.signal });
    context.output.value(sandbox, () => context.output.line(`${sandbox.id} expires ${relative(sandbox.expiresAt)}.`));
    return 0;
  },
};

function lifecycle(verb: 'stop' | 'start' | 'pause' | 'resume', summary: string): Command {
  return {
    name: `sandbox ${verb}`,
    aliases: [verb],
    usage: 'SANDBOX',
    summary,
    completes: 'sandbox',
    examples: [`bivouac ${verb} web`],
    async run(context) {
      const sandbox = await context.client().sandbox[verb](word(context, 0, 'The sandbox'), { signal: context.signal });
      context.output.value(sandbox, () => context.output.line(`${sandbox.id} is ${sandbox.state}.`));
      return 0;
    },
  };
}

export const sandboxStop = lifecycle('stop', 'Stop a sandbox; its files stay');
export const sandboxStart = lifecycle('start', 'Start a stopped sandbox again');
export const sandboxPause = lifecycle('pause', 'Freeze a sandbox where it is; it keeps its memory');
export const sandboxResume = lifecycle('resume', 'Have a paused sandbox go on');

/** The server takes so many at once. */
const BATCH = 50;

export const sandboxDelete: Command = {
  name: 'sandbox delete',
  aliases: ['rm', 'delete'],
  usage: 'SANDBOX…',
  summary: 'Delete sandboxes',
  options: { 'keep-workspace': { type: 'boolean', words: 'keep /workspace, for a later create --workspace' } },
  completes: 'sandbox',
  examples: ['bivouac rm web', 'bivouac ls -q | xargs bivouac rm', 'bivouac rm web --keep-workspace'],
  async run(context) {
    if (context.words.length === 0) throw new UsageError('The sandbox is missing.');
    const params = { keepWorkspace: flag(context, 'keep-workspace') };
    const { sandbox } = context.client();
    if (context.words.length === 1) {
      // One alone fails as itself, with its own error.
      await sandbox.delete(word(context, 0, 'The sandbox'), params, { signal: context.signal });
      context.output.value({ succeeded: context.words, failed: [] }, () => context.output.line(`${context.words[0]} is gone.`));
      return 0;
    }
    let failures = 0;
    for (let at = 0; at < context.words.length; at += BATCH) {
      const result = await sandbox.batchDelete(context.words.slice(at, at + BATCH), params, { signal: context.signal });
      failures += result.failed.length;
      context.output.value(result, () => {
        result.succeeded.forEach((id) => context.output.line(`${id} is gone.`));
        result.failed.forEach(({ id, error }) => context.output.note(`bivouac: ${id}: ${error.message}`));
      });
    }
    return failures === 0 ? 0 : 1;
  },
};
