import { spawn } from 'node:child_process';
import { ConnectionError, WorkspaceError } from '@bivouac/sdk';
import { flag, type Command } from '../command.js';

declare const BIVOUAC_VERSION: string;

export const version: Command = {
  name: 'version',
  usage: '',
  summary: 'Show the versions of this program and of the server',
  examples: ['bivouac version', 'bivouac version --json'],
  async run(context) {
    const server = await context.client().system.doctor({ signal: context.signal }).then(
      ({ checks }) => checks.find(({ name }) => name === 'version')?.seen ?? 'unknown',
      (failure: unknown) => {
        // It is the version of this program that is asked for, wherever the server is.
        if (failure instanceof ConnectionError) return 'not reachable';
        if (failure instanceof WorkspaceError) return 'not known without a login';
        throw failure;
      },
    );
    context.output.value({ client: BIVOUAC_VERSION, server }, () => {
      context.output.line(`client  ${BIVOUAC_VERSION}`);
      context.output.line(`server  ${server}  ${context.account().url}`);
    });
    return 0;
  },
};

export const whoami: Command = {
  name: 'whoami',
  usage: '',
  summary: 'Show the server, the project and the role that you use',
  examples: ['bivouac whoami'],
  async run(context) {
    const client = context.client();
    const [{ checks }, project] = await Promise.all([client.system.doctor({ signal: context.signal }), client.projects.get('current', { signal: context.signal })]);
    const { url, context: name } = context.account();
    const seen = checks.find((check) => check.name === 'key')?.seen ?? '';
    const role = /role (\w+)/.exec(seen)?.[1] ?? 'unknown';
    const system = seen.includes('and system administrator');
    context.output.value({ url, context: name ?? null, project: { id: project.id, name: project.name }, role, system }, () => {
      context.output.line(`server   ${url}${name === undefined ? '' : ` (context ${name})`}`);
      context.output.line(`project  ${project.name} (${project.id})`);
      context.output.line(`role     ${role}${system ? ', system administrator' : ''}`);
    });
    return 0;
  },
};

export const open: Command = {
  name: 'open',
  usage: '[SANDBOX] [--print]',
  summary: 'Open the console, or a sandbox in it, in a browser',
  completes: 'sandbox',
  options: { print: { type: 'boolean', words: 'only print the address' } },
  examples: ['bivouac open', 'bivouac open web', 'bivouac open --print'],
  async run(context) {
    const [name] = context.words;
    const page = name === undefined ? '/' : `/#/sandboxes/${(await context.client().sandbox.get(name, { signal: context.signal })).id}`;
    const url = context.account().url.replace(/\/+$/, '') + page;
    context.output.value({ url }, () => context.output.line(url));
    if (!flag(context, 'print') && !context.output.json && process.stdout.isTTY) browse(url);
    return 0;
  },
};

/** Where there is a browser; the address was printed for all others. */
function browse(url: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (process.platform !== 'darwin' && process.env.DISPLAY === undefined && process.env.WAYLAND_DISPLAY === undefined) return;
  const started = spawn(program, [url], { stdio: 'ignore', detached: true });
  started.on('error', () => undefined);
  started.unref();
}
