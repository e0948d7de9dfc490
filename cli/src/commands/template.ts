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
        ['NAME', 'AVAILABLE', 'CPU', 'MEMORY', 'DISK', 'DESCRIPTION'],
        templates.map((t) => [t.name, t.available ? 'yes' : 'no', String(t.cpu), t.memory, t.disk, t.description]),
        { drop: ['DISK', 'MEMORY', 'CPU', 'AVAILABLE'] },
      ),
    );
    return 0;
  },
};
