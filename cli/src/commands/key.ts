import type { Key, Role } from '@bivouac/sdk';
import { flag, text, UsageError, word, type Command } from '../command.js';
import { relative } from '../output.js';

const ROLES: readonly string[] = ['admin', 'developer', 'viewer'];

export const keyCreate: Command = {
  name: 'key create',
  usage: 'NAME [options]',
  summary: 'Create an API key; prints it, once',
  options: { role: { type: 'string', value: 'ROLE', words: 'admin, developer or viewer (default: developer)' } },
  examples: ['bivouac key create ci', 'bivouac key create dashboard --role viewer', 'KEY=$(bivouac key create ci --json | jq -r .key)'],
  async run(context) {
    const role = text(context, 'role') ?? 'developer';
    if (!ROLES.includes(role)) throw new UsageError(`--role must be ${ROLES.join(', ')}, not '${role}'.`);
    const made = await context.client().keys.create({ name: word(context, 0, 'The name'), role: role as Role }, { signal: context.signal });
    context.output.value(made, () => {
      context.output.line(`${made.id}, role ${made.role}`);
      context.output.line(`${made.key ?? ''}   (shown once)`);
    });
    return 0;
  },
};

export const keyList: Command = {
  name: 'key list',
  usage: '[options]',
  summary: "List the project's API keys",
  options: { all: { type: 'boolean', short: 'a', words: 'revoked ones too' } },
  examples: ['bivouac key list'],
  async run(context) {
    const found: Key[] = [];
    for await (const key of context.client().keys.list({ signal: context.signal })) {
      if (key.revokedAt === undefined || flag(context, 'all')) found.push(key);
    }
    context.output.value(found, () =>
      context.output.table(
        ['ID', 'NAME', 'ROLE', 'BEGINS', 'CREATED', 'LAST USED'],
        found.map((key) => [key.id, key.name, key.role + (key.system ? ', system' : ''), key.prefix, relative(key.createdAt), used(key)]),
        { empty: 'There are no keys.', drop: ['BEGINS', 'CREATED', 'LAST USED'] },
      ),
    );
    return 0;
  },
};

function used(key: Key): string {
  if (key.revokedAt !== undefined) return `revoked ${relative(key.revokedAt)}`;
  return key.lastUsedAt === undefined ? 'never' : relative(key.lastUsedAt);
}

export const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'ID',
  summary: 'Revoke an API key; what is connected with it is cut off',
  examples: ['bivouac key revoke key_01jd…'],
  async run(context) {
    const id = word(context, 0, 'The key');
    await context.client().keys.revoke(id, { signal: context.signal });
    context.output.value({ id }, () => context.output.line(`${id} is revoked.`));
    return 0;
  },
};
