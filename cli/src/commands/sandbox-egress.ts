import { flag, texts, UsageError, word, type Command } from '../command.js';

/** As the server spells it: in small letters and with its port. */
function spelled(host: string): string {
  return (/:\d+$/.test(host) ? host : `${host}:443`).toLowerCase();
}

export const sandboxEgress: Command = {
  name: 'sandbox egress',
  usage: 'SANDBOX [options]',
  summary: 'Show or change the hosts that a sandbox may reach',
  completes: 'sandbox',
  options: {
    add: { type: 'string', multiple: true, value: 'HOST[:PORT]', words: 'allow one more, as *.example.org:443; may be repeated' },
    remove: { type: 'string', multiple: true, value: 'HOST[:PORT]', words: 'allow it no longer; open connections are cut; may be repeated' },
    none: { type: 'boolean', words: 'allow none of those that were allowed before' },
  },
  examples: ['bivouac sandbox egress sbx-…', 'bivouac sandbox egress sbx-… --add api.example.org', 'bivouac sandbox egress sbx-… --none'],
  async run(context) {
    const { sandbox: service } = context.client();
    const call = { signal: context.signal };
    let sandbox = await service.get(word(context, 0, 'The sandbox'), call);
    const removed = texts(context, 'remove').map(spelled);
    const added = texts(context, 'add');
    const unknown = removed.find((host) => !sandbox.egress.allow.includes(host));
    if (unknown !== undefined) throw new UsageError(`${unknown} is not allowed now.`);
    if (flag(context, 'none') || added.length > 0 || removed.length > 0) {
      const kept = flag(context, 'none') ? [] : sandbox.egress.allow.filter((host) => !removed.includes(host));
      sandbox = await service.setEgress(sandbox.id, [...kept, ...added], call);
    }
    const { allow } = sandbox.egress;
    context.output.value(sandbox.egress, () => (allow.length === 0 ? context.output.line('It reaches nothing.') : allow.forEach((host) => context.output.line(host))));
    return 0;
  },
};
