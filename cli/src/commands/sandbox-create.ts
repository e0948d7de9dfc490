import type { CreateParams, OnExpiry, Sandbox } from '@bivouac/sdk';
import { flag, number, pairs, seconds, text, texts, UsageError, type Command, type Context, type Option } from '../command.js';
import { show } from './sandbox.js';

/** What `create` and `run` share. */
export const MAKING: Record<string, Option> = {
  template: { type: 'string', short: 'T', value: 'NAME', words: 'what to make it from (default: default)' },
  name: { type: 'string', value: 'NAME', words: 'a name, which stands for the id in other commands' },
  timeout: { type: 'string', value: 'TIME', words: 'how long it lives: 90s, 10m, 2h (default: 1h)' },
  'keep-alive': { type: 'boolean', words: 'move its end ahead while its ports, commands or terminals are used' },
  'on-expiry': { type: 'string', value: 'CHOICE', words: 'at its end: keep its files for a while, stop it, or delete all (default: keep)' },
  'auto-resume': { type: 'boolean', words: 'resume it when it is used while paused' },
  env: { type: 'string', short: 'e', multiple: true, value: 'KEY=VALUE', words: 'an environment variable; may be repeated' },
  label: { type: 'string', short: 'l', multiple: true, value: 'KEY=VALUE', words: 'a label; may be repeated' },
  cpu: { type: 'string', value: 'CORES', words: 'at most so many cores' },
  memory: { type: 'string', value: 'SIZE', words: 'at most so much memory, as 512m' },
  disk: { type: 'string', value: 'SIZE', words: 'at most so much disk, as 1g' },
  'allow-host': { type: 'string', multiple: true, value: 'HOST[:PORT]', words: 'a host that it may reach, as *.example.org:443; may be repeated' },
  workspace: { type: 'string', value: 'ID', words: 'a kept workspace to take over' },
};

export function params(context: Context): CreateParams {
  const timeout = text(context, 'timeout');
  const hosts = texts(context, 'allow-host');
  const resources = { cpu: number(context, 'cpu'), memory: text(context, 'memory'), disk: text(context, 'disk') };
  const given = {
    name: text(context, 'name'),
    timeoutSeconds: timeout === undefined ? undefined : seconds(timeout, '--timeout'),
    keepAlive: flag(context, 'keep-alive') ? { onTraffic: true } : undefined,
    onExpiry: onExpiry(context),
    autoResume: flag(context, 'auto-resume') ? true : undefined,
    envs: pairs(context, 'env'),
    labels: pairs(context, 'label'),
    resources: Object.values(resources).every((value) => value === undefined) ? undefined : resources,
    egress: hosts.length === 0 ? undefined : { allow: hosts },
    workspace: text(context, 'workspace'),
  };
  return { template: text(context, 'template') ?? 'default', ...(given as Omit<CreateParams, 'template'>) };
}

const CHOICES: readonly OnExpiry[] = ['keep', 'stop', 'delete'];

function onExpiry(context: Context): OnExpiry | undefined {
  const given = text(context, 'on-expiry');
  const choice = CHOICES.find((one) => one === given);
  if (given !== undefined && choice === undefined) throw new UsageError(`--on-expiry must be keep, stop or delete, not ${given}.`);
  return choice;
}

/** Makes a sandbox, and shows that while it is waited for. */
export async function make(context: Context, wait: boolean, signal = context.signal): Promise<Sandbox> {
  const wanted = params(context);
  const begun = Date.now();
  const progress = setInterval(
    () => context.output.progress(`Starting a sandbox from ${wanted.template} … ${((Date.now() - begun) / 1000).toFixed(1)} s`),
    200,
  );
  try {
    return await context.client().sandbox.create(wanted, { signal, wait });
  } finally {
    clearInterval(progress);
    context.output.clearProgress();
  }
}

export const sandboxCreate: Command = {
  name: 'sandbox create',
  aliases: ['create'],
  usage: '[options]',
  summary: 'Make a sandbox and wait until it runs',
  options: { ...MAKING, 'no-wait': { type: 'boolean', words: 'return at once, while it starts' }, quiet: { type: 'boolean', short: 'q', words: 'print its id only' } },
  examples: [
    'bivouac sandbox create',
    'bivouac sandbox create -T python:3.11 --timeout 30m -l team=a',
    'bivouac sandbox create --allow-host api.example.org --allow-host "*.example.org:8443"',
    'ID=$(bivouac create -q)',
  ],
  async run(context) {
    const sandbox = await make(context, !flag(context, 'no-wait'));
    const { output } = context;
    if (flag(context, 'quiet')) output.line(sandbox.id);
    else {
      output.value(sandbox, () => show(sandbox, output));
      output.done(`\nA shell in it: bivouac exec -it ${sandbox.name ?? sandbox.id}`);
    }
    return 0;
  },
};
