import type { KeptWorkspace } from '@bivouac/sdk';
import { word, type Command } from '../command.js';
import { relative, size } from '../output.js';

export const workspaceList: Command = {
  name: 'workspace list',
  usage: '',
  summary: 'List the workspaces that deleted sandboxes left',
  examples: ['bivouac workspace list', 'bivouac create --workspace sbx-…   # takes one over'],
  async run(context) {
    const found: KeptWorkspace[] = [];
    for await (const one of context.client().workspaces.list({ signal: context.signal })) found.push(one);
    context.output.value(found, () =>
      context.output.table(
        ['ID', 'SIZE', 'KEPT'],
        found.map((one) => [one.id, size(one.bytes), relative(one.keptAt)]),
        { empty: 'No workspaces are kept. Keep one with: bivouac rm SANDBOX --keep-workspace' },
      ),
    );
    return 0;
  },
};

export const workspaceDelete: Command = {
  name: 'workspace delete',
  usage: 'ID',
  summary: 'Delete a kept workspace',
  examples: ['bivouac workspace delete sbx-…'],
  async run(context) {
    const id = word(context, 0, 'The workspace');
    await context.client().workspaces.delete(id, { signal: context.signal });
    context.output.value({ id }, () => context.output.line(`${id} is gone.`));
    return 0;
  },
};
