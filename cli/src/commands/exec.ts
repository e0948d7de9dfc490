import { fstatSync } from 'node:fs';
import { once } from 'node:events';
import { CommandFailedError, type Sandbox } from '@bivouac/sdk';
import { flag, pairs, text, UsageError, word, type Command, type Context, type Option } from '../command.js';
import { consentByKey } from '../consent.js';
import { interact, screenSize, shellCode } from '../interactive.js';
import { relative } from '../output.js';
import { SEALING, sealing } from '../sealing.js';

/** What `exec` and `run` share. */
export const RUNNING: Record<string, Option> = {
  interactive: { type: 'boolean', short: 'i', words: 'pass what is typed or piped in' },
  tty: { type: 'boolean', short: 't', words: 'with a terminal, as ssh -t' },
  record: { type: 'boolean', words: 'with -t: keep what it shows, for terminal replay' },
  cwd: { type: 'string', short: 'w', value: 'FOLDER', words: 'where to run it (default: /workspace)' },
  ...SEALING,
};

export const exec: Command = {
  name: 'exec',
  aliases: ['sandbox exec'],
  runs: 1,
  usage: '[-it] [options] SANDBOX COMMAND…',
  summary: 'Run a command in a sandbox and exit with its exit code',
  options: {
    ...RUNNING,
    env: { type: 'string', short: 'e', multiple: true, value: 'KEY=VALUE', words: 'an environment variable; may be repeated' },
  },
  completes: 'sandbox',
  examples: ['bivouac exec web ls -l', 'bivouac exec -it web            # a shell', 'bivouac exec -it --sealed web   # one that the server cannot read', 'tar c . | bivouac exec web tar x'],
  async run(context) {
    const id = word(context, 0, 'The sandbox');
    const { sandbox: service } = context.client();
    // Mostly one request less: what is missing or not ours is told by the command itself. Host keys are remembered by id.
    const sandbox = sealing(context) === undefined ? service.reference(id) : await service.get(id, { signal: context.signal });
    return runIn(sandbox, context, context.rest, pairs(context, 'env'));
  },
};

/** As shells have it. */
const COULD_NOT_BE_STARTED = 127;

export async function runIn(sandbox: Sandbox, context: Context, command: string[], envs?: Record<string, string>): Promise<number> {
  try {
    return await inSandbox(sandbox, context, command, envs);
  } catch (failure) {
    if (!(failure instanceof CommandFailedError)) throw failure;
    context.output.note(`bivouac: ${failure.message}`);
    return COULD_NOT_BE_STARTED;
  }
}

async function inSandbox(sandbox: Sandbox, context: Context, command: string[], envs?: Record<string, string>): Promise<number> {
  const cwd = text(context, 'cwd');
  const params = { ...(cwd === undefined ? {} : { cwd }), ...(envs === undefined ? {} : { envs }) };
  if (!flag(context, 'tty') && (flag(context, 'sealed') || text(context, 'host-key') !== undefined)) {
    throw new UsageError('Only terminals can be sealed: add -t or -it.');
  }
  if (flag(context, 'tty')) return inTerminal(sandbox, context, command, params);
  if (command.length === 0) throw new UsageError('Say what to run, or -it for a shell.');
  if (flag(context, 'interactive') || isPiped()) return withInput(sandbox, context, command, params);
  const consent = consentByKey(context, sandbox);
  try {
    return await withoutInput(sandbox, context, command, params);
  } finally {
    consent?.end();
  }
}

async function withoutInput(sandbox: Sandbox, context: Context, command: string[], params: Where): Promise<number> {
  let code = 0;
  for await (const event of sandbox.process.runStream(command, { ...params, signal: context.signal })) {
    if (event.type === 'stdout') await write(process.stdout, event.bytes ?? event.data, context.signal);
    if (event.type === 'stderr') await write(process.stderr, event.bytes ?? event.data, context.signal);
    if (event.type === 'gap') context.output.note(`[${event.to - event.from} bytes of ${event.stream} were lost]`);
    if (event.type === 'exit') code = shellCode(event.exitCode);
  }
  return code;
}

interface Where {
  cwd?: string;
  envs?: Record<string, string>;
}

async function inTerminal(sandbox: Sandbox, context: Context, command: string[], where: Where): Promise<number> {
  const { stdin, stdout } = process;
  const interactive = flag(context, 'interactive');
  if (interactive && !stdin.isTTY) throw new UsageError('-t needs a terminal to type in; use -i alone for what is piped in.');
  const seal = sealing(context);
  const terminal = await sandbox.terminal({
    ...where,
    ...(seal === undefined ? {} : { sealed: seal }),
    ...(command.length === 0 ? {} : { command }),
    ...(flag(context, 'record') ? { record: true } : {}),
    ...(stdout.isTTY ? screenSize() : {}),
    envs: { TERM: process.env.TERM ?? 'xterm-256color', ...where.envs },
    signal: context.signal,
  });
  const leaving = new AbortController();
  void announceEnd(sandbox.id, context, AbortSignal.any([context.signal, leaving.signal]));
  try {
    return await interact(terminal, interactive ? stdin : undefined, context.signal, interactive ? { context, sandbox } : undefined);
  } finally {
    leaving.abort();
    // It was made for this call, and nobody else knows of it.
    if (context.signal.aborted) await terminal.kill().catch(() => undefined);
  }
}

/** Says in a terminal that its sandbox expires soon. */
async function announceEnd(nameOrId: string, context: Context, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of context.client().events({ types: ['sandbox.expiring'], signal })) {
      if (event.type === 'gap' || ![event.subject, event.data.name].includes(nameOrId)) continue;
      // The screen is the program's: the line ends as its terminal wants it, and what it draws next goes over it.
      process.stderr.write(`\r\n[${nameOrId} expires ${relative(event.data.expiresAt)}; bivouac extend ${nameOrId} 30m gives it more time]\r\n`);
    }
  } catch (failure) {
    if (!signal.aborted) process.stderr.write(`\r\n[Not told when ${nameOrId} expires: ${(failure as Error).message}]\r\n`);
  }
}

async function withInput(sandbox: Sandbox, context: Context, command: string[], where: Where): Promise<number> {
  const running = await sandbox.process.attach(command, { ...where, signal: context.signal });
  void (async () => {
    for await (const bytes of process.stdin as AsyncIterable<Buffer>) await running.write(bytes);
    running.end();
    // A command that ended before it read everything is no error: its exit tells.
  })().catch(() => undefined);
  for await (const { stream, bytes } of running) await write(stream === 'stdout' ? process.stdout : process.stderr, bytes, context.signal);
  return shellCode((await running.wait()).exitCode);
}

async function write(to: NodeJS.WriteStream, data: string | Uint8Array, signal: AbortSignal): Promise<void> {
  if (!to.write(data)) await once(to, 'drain', { signal });
}

/** Whether something is piped in; a terminal, or nothing at all, is not. */
function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    // No standard input at all.
    return false;
  }
}
