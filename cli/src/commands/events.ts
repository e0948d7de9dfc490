import type { EventPattern } from '@bivouac/sdk';
import { text, type Command } from '../command.js';

export const events: Command = {
  name: 'events',
  usage: '[options]',
  summary: "Follow the project's events",
  options: {
    types: { type: 'string', value: 'PATTERNS', words: 'only these, as sandbox.*,agent.disconnected' },
    after: { type: 'string', value: 'ID', words: 'go on after this event of the stream' },
  },
  examples: ['bivouac events', "bivouac events --types 'sandbox.*' --json | jq .data.state"],
  async run(context) {
    const types = text(context, 'types')?.split(',') as EventPattern[] | undefined;
    const after = text(context, 'after');
    const stream = context.client().events({
      signal: context.signal,
      ...(types === undefined ? {} : { types }),
      ...(after === undefined ? {} : { lastEventId: after }),
    });
    const { output } = context;
    for await (const event of stream) {
      output.value(event, () => {
        if (event.type === 'gap') output.note('Some events were missed.');
        else output.line(`${output.colour(event.timestamp, 'dim')} ${event.type.padEnd(18)} ${event.subject}`);
      });
    }
    return 0;
  },
};
