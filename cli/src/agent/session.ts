import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '@bivouac/sdk';
import { flag, text, texts, UsageError, type Context } from '../command.js';
import { make } from '../commands/sandbox-create.js';
import { runIn } from '../commands/exec.js';
import { tar } from '../packing.js';
import { agentOf, envsOf, hostsOf, type Agent } from './agents.js';
import { apply } from './applying.js';
import { decide, decisionOf, list, type Decision } from './changed.js';
import { changes, scan } from './tree.js';

const NEVER = new AbortController().signal;

/** Where an agent's package goes that the template has not. */
const INSTALLED = '.local/share/bivouac-agent';

/** Runs a coding agent in a sandbox with a folder of ours, and brings home what it changed there. */
export async function runAgent(context: Context, folder: string, words: string[], send: (sandbox: Sandbox) => Promise<void>): Promise<number> {
  const wanted = decisionOf(text(context, 'changes'));
  const name = text(context, 'agent');
  const own = text(context, 'agent-command');
  if (name !== undefined && own !== undefined) throw new UsageError('Give --agent or --agent-command, not both.');
  const agent = name === undefined ? undefined : agentOf(name);
  const envs = agent === undefined ? {} : envsOf(agent, process.env);
  const here = await realpath(folder);
  const before = await scan(here);
  const hosts = [...texts(context, 'allow-host'), ...(agent === undefined ? [] : hostsOf(agent, envs))];
  const sandbox = await make({ ...context, options: { ...context.options, 'allow-host': hosts } }, true, NEVER);
  const called = sandbox.name ?? sandbox.id;
  let decision: Decision = 'keep';
  try {
    context.signal.throwIfAborted();
    await send(sandbox);
    const command = agent === undefined ? ['sh', '-c', own ?? '', 'agent', ...words] : [await found(agent, sandbox, context), ...words];
    for (const [path, contents] of Object.entries(agent?.files?.(envs) ?? {})) await inHome(sandbox, path, contents, context);
    const tty = process.stdin.isTTY && process.stdout.isTTY;
    const options = { ...context.options, ...(tty ? { tty: true, interactive: true, record: true } : {}) };
    const code = await runIn(sandbox, { ...context, options }, command, envs);
    decision = await bringHome(context, sandbox, here, before, wanted);
    return code;
  } finally {
    if (decision === 'keep' || flag(context, 'keep')) context.output.note(`The sandbox is kept: bivouac exec -it ${called}, bivouac cp ${called}:. FOLDER, bivouac rm ${called}`);
    else await sandbox.delete();
  }
}

async function bringHome(context: Context, sandbox: Sandbox, here: string, before: Awaited<ReturnType<typeof scan>>, wanted: Decision | undefined): Promise<Decision> {
  const { output, signal } = context;
  const there = await mkdtemp(join(tmpdir(), 'bivouac-changes-'));
  try {
    // What a sandbox packed decides neither who owns a file here nor what it may do beside being run.
    const unpacked = tar(['-x', '--no-same-owner', '--no-same-permissions', '-C', there], 'stdin');
    await (await sandbox.files.archive('.', 'tar', { signal })).pipeTo(unpacked.sink);
    await unpacked.ended;
    const after = await scan(there);
    const changed = changes(before, after);
    if (changed.length === 0) {
      output.note('Nothing was changed.');
      return 'discard';
    }
    output.note(`${changed.length} ${changed.length === 1 ? 'path' : 'paths'} changed:`);
    list(changed, context);
    const decision = wanted ?? (await decide(changed, here, there, context));
    if (decision !== 'apply') return decision;
    const refused = await apply(changed, there, here, before, after);
    output.note(`Applied ${changed.length - refused.length} of ${changed.length}.`);
    if (refused.length === 0) return 'apply';
    output.note(`Changed here meanwhile, and left as they are: ${refused.join(', ')}`);
    return 'keep';
  } finally {
    await rm(there, { recursive: true, force: true });
  }
}

/** The agent's program: the template's, or one that is installed into the home of the sandbox's user. */
async function found(agent: Agent, sandbox: Sandbox, context: Context): Promise<string> {
  const call = { signal: context.signal };
  const present = await sandbox.process.run(`command -v ${agent.program} || ls "$HOME/${INSTALLED}/node_modules/.bin/${agent.program}"`, call);
  const path = present.stdout.trim().split('\n')[0] ?? '';
  if (present.exitCode === 0 && path !== '') return path;
  if (agent.npm === undefined) throw new Error(`The template has no ${agent.program}. Choose one that has it with -T, or build one: docs/templates.md.`);
  context.output.note(`The template has no ${agent.program}; installing ${agent.npm} …`);
  const installed = await sandbox.process.run(`npm install --loglevel=error --no-fund --no-audit --prefix "$HOME/${INSTALLED}" ${agent.npm} && ls "$HOME/${INSTALLED}/node_modules/.bin/${agent.program}"`, call);
  if (installed.exitCode !== 0) throw new Error(`${agent.npm} could not be installed: ${installed.stderr.trim()}`);
  return installed.stdout.trim().split('\n').at(-1) ?? agent.program;
}

async function inHome(sandbox: Sandbox, path: string, contents: string, context: Context): Promise<void> {
  const written = await sandbox.process.run(['sh', '-c', 'umask 077; [ -e "$HOME/$1" ] || cat > "$HOME/$1"', 'sh', path], { stdin: contents, signal: context.signal });
  if (written.exitCode !== 0) throw new Error(`${path} could not be written: ${written.stderr.trim()}`);
}
