import { flag, text, texts, UsageError, word, type Command, type Context } from '../command.js';
import { plain, relative } from '../output.js';

/** As the server spells it: in small letters and with its port. */
function spelled(host: string): string {
  if (host.startsWith('@')) return host;
  return (/:\d+$/.test(host) ? host : `${host}:443`).toLowerCase();
}

export const sandboxEgress: Command = {
  name: 'sandbox egress',
  usage: 'SANDBOX [options] | --presets',
  summary: 'Show or change the hosts that a sandbox may reach',
  completes: 'sandbox',
  options: {
    add: { type: 'string', multiple: true, value: 'HOST[:PORT]', words: 'allow one more, as *.example.org:443; may be repeated' },
    remove: { type: 'string', multiple: true, value: 'HOST[:PORT]', words: 'allow it no longer; open connections are cut; may be repeated' },
    ask: { type: 'string', value: 'yes|no', words: 'whether approvers who are there are asked about other hosts' },
    presets: { type: 'boolean', words: 'list the names that stand for many hosts' },
    none: { type: 'boolean', words: 'allow none of those that were allowed before' },
  },
  examples: ['bivouac sandbox egress sbx-…', 'bivouac sandbox egress sbx-… --add api.example.org', 'bivouac sandbox egress sbx-… --none', 'bivouac sandbox egress --presets'],
  async run(context) {
    const { sandbox: service } = context.client();
    const call = { signal: context.signal };
    if (flag(context, 'presets')) return presets(context);
    const ask = yesOrNo(text(context, 'ask'));
    let sandbox = await service.get(word(context, 0, 'The sandbox'), call);
    const removed = texts(context, 'remove').map(spelled);
    const added = texts(context, 'add');
    const unknown = removed.find((host) => !sandbox.egress.allow.includes(host));
    if (unknown !== undefined) throw new UsageError(`${unknown} is not allowed now.`);
    if (flag(context, 'none') || added.length > 0 || removed.length > 0 || ask !== undefined) {
      const kept = flag(context, 'none') ? [] : sandbox.egress.allow.filter((host) => !removed.includes(host));
      sandbox = await service.setEgress(sandbox.id, { allow: [...kept, ...added], ...(ask === undefined ? {} : { ask }) }, call);
    }
    const state = await service.egress(sandbox.id, call);
    const { output } = context;
    output.value(state, () => {
      if (state.allow.length === 0) output.line('It reaches nothing.');
      state.allow.forEach((host) => output.line(host));
      for (const { host, program, at } of state.blocked) output.note(`blocked ${relative(at)}: ${host}${program === undefined ? '' : ` (${plain(program)})`}`);
    });
    return 0;
  },
};

function yesOrNo(given: string | undefined): boolean | undefined {
  if (given === undefined) return undefined;
  if (given !== 'yes' && given !== 'no') throw new UsageError(`--ask is yes or no, not '${given}'.`);
  return given === 'yes';
}

async function presets(context: Context): Promise<number> {
  const found = await context.client().sandbox.egressPresets({ signal: context.signal });
  context.output.value(found, () =>
    context.output.table(
      ['PRESET', 'FROM', 'HOSTS'],
      found.map((one) => [one.name, one.from, one.from === 'public' ? 'every public address' : one.hosts.join(', ') || 'none here']),
    ),
  );
  return 0;
}
