import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { UsageError, word, type Command } from '../command.js';
import { forward } from '../forwarding.js';

export const sandboxPorts: Command = {
  name: 'sandbox ports',
  aliases: ['ports'],
  usage: 'SANDBOX',
  summary: 'List the ports on which programs in a sandbox listen',
  completes: 'sandbox',
  examples: ['bivouac sandbox ports sbx-…', 'bivouac sandbox ports sbx-… --json'],
  async run(context) {
    const sandbox = await context.client().sandbox.get(word(context, 0, 'The sandbox'), { signal: context.signal });
    const { items: ports } = await sandbox.ports.list({ signal: context.signal });
    context.output.value(ports, () =>
      ports.length === 0
        ? context.output.line('No program listens.')
        : context.output.table(['PORT', 'PROGRAM', 'URL'], ports.map(({ port, program, url }) => [String(port), program ?? '', url])),
    );
    return 0;
  },
};

const LARGEST_PORT = 65_535;

function port(text: string, least: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > LARGEST_PORT) {
    throw new UsageError(`'${text}' is no port; say LOCAL:PORT, such as 8080:80.`);
  }
  return number;
}

/** `8080:80`, `80` for the same number here, or `:80` for any free one. */
function pair(given: string): { local: number; remote: number } {
  const [left = '', right] = given.split(':');
  if (right === undefined) return { local: port(left, 1), remote: port(left, 1) };
  return { local: left === '' ? 0 : port(left, 0), remote: port(right, 1) };
}

export const portForward: Command = {
  name: 'port-forward',
  usage: 'SANDBOX [LOCAL:]PORT…',
  summary: 'Reach ports of a sandbox at this machine',
  completes: 'sandbox',
  examples: ['bivouac port-forward sbx-… 8080:80', 'bivouac port-forward sbx-… 5432', 'bivouac port-forward sbx-… :3000   # any free port here'],
  async run(context) {
    const sandbox = await context.client().sandbox.get(word(context, 0, 'The sandbox'), { signal: context.signal });
    const pairs = context.words.slice(1).map(pair);
    if (pairs.length === 0) throw new UsageError('The port is missing; say LOCAL:PORT, such as 8080:80.');
    const servers = [];
    for (const { local, remote } of pairs) {
      const server = await forward(local, {
        ...sandbox.ports.access(remote),
        failed: (why) => context.output.note(`bivouac: port ${remote}: ${why}`),
      }).catch((failure: unknown) => {
        const taken = (failure as NodeJS.ErrnoException).code === 'EADDRINUSE';
        throw taken ? new UsageError(`Port ${local} of this machine is in use; choose another.`) : failure;
      });
      servers.push(server);
      const { port: bound } = server.address() as AddressInfo;
      context.output.value({ local: bound, remote }, () =>
        context.output.line(`127.0.0.1:${bound} leads to port ${remote} of ${sandbox.id}. Ctrl-C ends it.`),
      );
    }
    if (!context.signal.aborted) await once(context.signal, 'abort');
    servers.forEach((server) => server.close());
    return 0;
  },
};
