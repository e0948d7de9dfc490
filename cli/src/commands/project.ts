import type { Command } from '../command.js';

export const projectShow: Command = {
  name: 'project show',
  usage: '',
  summary: 'Show what the project may have and what it uses',
  examples: ['bivouac project show', 'bivouac project show --json'],
  async run(context) {
    const project = await context.client().projects.get('current', { signal: context.signal });
    const { limits, usage } = project;
    const row = (name: string, used: number | string, limit: number | string | null): string[] => [name, String(used), limit === null ? 'no limit' : String(limit)];
    context.output.value(project, () => {
      context.output.line(`${project.name} (${project.id})`);
      context.output.table(
        ['WHAT', 'USED', 'LIMIT'],
        [
          row('sandboxes', usage.sandboxes, limits.sandboxes),
          row('terminals', usage.terminals, limits.terminals),
          row('event streams', usage.eventStreams, limits.eventStreams),
          row('CPU cores', usage.cpu, limits.cpu),
          row('memory', usage.memory, limits.memory),
          row('disk', usage.disk, limits.disk),
        ],
      );
    });
    return 0;
  },
};
