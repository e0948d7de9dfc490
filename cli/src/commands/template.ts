import type { Template } from '@bivouac/sdk';
import type { Command } from '../command.js';

export const templateList: Command = {
  name: 'template list',
  usage: '',
  summary: 'List what sandboxes can be made from',
  examples: ['bivouac template list'],
  async run(context) {
    const templates = await context.client().templates.list({ signal: context.signal });
    context.output.value(templates, () =>
      context.output.table(
        ['NAME', 'AVAILABLE', 'BUILT', 'CPU', 'MEMORY', 'DISK', 'DESCRIPTION'],
        templates.map((t) => [t.name, t.available ? 'yes' : 'no', built(t), String(t.cpu), t.memory, t.disk, t.description]),
        { drop: ['DISK', 'MEMORY', 'CPU', 'BUILT', 'AVAILABLE'] },
      ),
    );
    return 0;
  },
};

/** The size of its tree. */
function built(template: Template): string {
  return template.built === null ? '' : `${Math.round(template.built.sizeBytes / 2 ** 20)} MB`;
}
