import type { Sandbox, SandboxState } from '@bivouac/sdk';
import { flag, number, pairs, seconds, text, UsageError, word, type Command } from '../command.js';
import { relative, type Output } from '../output.js';

export function show(sandbox: Sandbox, output: Output): void {
  const rows: Array<[string, string | undefined]> = [
    ['id', sandbox.id],
    ['name', sandbox.name],
    ['state', sandbox.state + (sandbox.stateReason === undefined ? '' : `: ${sandbox.stateReason}`)],
    ['ended by', sandbox.stopReason],
    ['template', sandbox.template],
    ['created', relative(sandbox.createdAt)],
    ['expires', relative(sandbox.expiresAt)],
    ['limits', `${sandbox.resources.cpu} cores, ${sandbox.resources.memory} memory, ${sandbox.resources.disk} disk`],
    ['reaches', sandbox.egress.allow.join(', ') || undefined],
    ['mount', sandbox.nfs?.mountCommand],
    ['labels', Object.entries(sandbox.labels).map(([key, value]) => `${key}=${value}`).join(', ') || undefined],
  ];
  for (const [name, value] of rows) if (value !== undefined) output.line(`${output.colour(name.padEnd(9), 'dim')} ${value}`);
}

export const sandboxList: Command = {
  name: 'sandbox list',
  usage: '[options]',
  summary: 'List sandboxes, the newest first',
  options: {
    state: { type: 'string', value: 'STATE', words: 'starting, running, stopping, stopped or error' },
    template: { type: 'string', short: 'T', value: 'NAME', words: 'made from this template' },
    label: { type: 'string', short: 'l', multiple: true, value: 'KEY=VALUE', words: 'with this label; may be repeated' },
    limit: { type: 'string', value: 'N', words: 'at most so many (default: all)' },
    quiet: { type: 'boolean', short: 'q', words: 'ids only' },
  },
  examples: ['bivouac sandbox list', 'bivouac sandbox list --state running -l team=a', 'bivouac sandbox list -q | xargs bivouac sandbox delete'],
  async run(context) {
    const most = number(context, 'limit') ?? Infinity;
    const found: Sandbox[] = [];
    const filter = { state: text(context, 'state') as Exclude<SandboxState, 'deleted'>, template: text(context, 'template'), labels: pairs(context, 'label') };
    const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    for await (const sandbox of context.client().sandbox.list({ ...asked, limit: Math.min(most, 500) }, { signal: context.signal })) {
      if (found.push(sandbox) >= most) break;
    }
    const { output } = context;
    if (flag(context, 'quiet')) found.forEach((sandbox) => output.line(sandbox.id));
    else {
      output.value(found, () =>
        output.table(
          ['ID', 'STATE', 'TEMPLATE', 'EXPIRES', 'NAME'],
          found.map((sandbox) => [sandbox.id, sandbox.state, sandbox.template, relative(sandbox.expiresAt), sandbox.name === sandbox.id ? '' : (sandbox.name ?? '')]),
        ),
      );
    }
    return 0;
  },
};

export const sandboxGet: Command = {
  name: 'sandbox get',
  usage: 'ID',
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
  usage: 'ID [FOLDER]',
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

export const sandboxExtend: Command = {
  name: 'sandbox extend',
  usage: 'ID TIME',
  summary: 'Give a sandbox more time: 1 s to 1 h',
  completes: 'sandbox',
  examples: ['bivouac sandbox extend sbx-… 30m'],
  async run(context) {
    const by = seconds(word(context, 1, 'The time'), 'TIME');
    const sandbox = await context.client().sandbox.extend(word(context, 0, 'The sandbox'), by, { signal: context.signal });
    context.output.value(sandbox, () => context.output.line(`${sandbox.id} expires ${relative(sandbox.expiresAt)}.`));
    return 0;
  },
};

function lifecycle(verb: 'stop' | 'start', summary: string): Command {
  return {
    name: `sandbox ${verb}`,
    usage: 'ID',
    summary,
    completes: 'sandbox',
    examples: [`bivouac sandbox ${verb} sbx-…`],
    async run(context) {
      const sandbox = await context.client().sandbox[verb](word(context, 0, 'The sandbox'), { signal: context.signal });
      context.output.value(sandbox, () => context.output.line(`${sandbox.id} is ${sandbox.state}.`));
      return 0;
    },
  };
}

export const sandboxStop = lifecycle('stop', 'Stop a sandbox; its files stay');
export const sandboxStart = lifecycle('start', 'Start a stopped sandbox again');

/** The server takes so many at once. */
const BATCH = 50;

export const sandboxDelete: Command = {
  name: 'sandbox delete',
  usage: 'ID…',
  summary: 'Delete sandboxes',
  options: { 'keep-workspace': { type: 'boolean', words: 'keep /workspace, for a later create --workspace' } },
  completes: 'sandbox',
  examples: ['bivouac sandbox delete sbx-…', 'bivouac sandbox delete sbx-… --keep-workspace'],
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
