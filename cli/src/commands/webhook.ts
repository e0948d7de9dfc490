import type { Delivery, DeliveryState, Endpoint } from '@bivouac/sdk';
import { flag, number, text, UsageError, word, type Command } from '../command.js';
import { relative } from '../output.js';

/** The server's own limit. */
const LARGEST_PAGE = 500;

/** There may be very many, and the newest come first. */
const USUAL_NUMBER = 50;

export const webhookCreate: Command = {
  name: 'webhook create',
  usage: 'URL [options]',
  summary: 'Create a webhook; prints its signing secret, once',
  options: {
    types: { type: 'string', value: 'PATTERNS', words: 'only these, as sandbox.*,agent.disconnected' },
    description: { type: 'string', value: 'TEXT', words: 'what it is for' },
  },
  examples: ["bivouac webhook create https://example.org/hook --types 'sandbox.*'"],
  async run(context) {
    const types = text(context, 'types')?.split(',');
    const description = text(context, 'description');
    const made = await context.client().webhooks.create(
      {
        url: word(context, 0, 'The URL'),
        ...(types === undefined ? {} : { types }),
        ...(description === undefined ? {} : { description }),
      },
      { signal: context.signal },
    );
    context.output.value(made, () => {
      context.output.line(`${made.id} sends ${made.types.join(', ')} to ${made.url}`);
      context.output.line(`secret ${made.secret}   (shown once)`);
    });
    return 0;
  },
};

export const webhookList: Command = {
  name: 'webhook list',
  usage: '',
  summary: 'List webhooks',
  examples: ['bivouac webhook list'],
  async run(context) {
    const found: Endpoint[] = [];
    for await (const endpoint of context.client().webhooks.list({ signal: context.signal })) found.push(endpoint);
    context.output.value(found, () =>
      context.output.table(
        ['ID', 'ENABLED', 'TYPES', 'URL'],
        found.map((e) => [e.id, e.enabled ? 'yes' : `no: ${e.disabledReason ?? ''}`, e.types.join(','), e.url]),
        { empty: 'There are no webhooks. Make one with: bivouac webhook create URL', drop: ['TYPES'] },
      ),
    );
    return 0;
  },
};

export const webhookDelete: Command = {
  name: 'webhook delete',
  usage: 'ID',
  summary: 'Delete a webhook',
  completes: 'webhook',
  examples: ['bivouac webhook delete whe_…'],
  async run(context) {
    const id = word(context, 0, 'The webhook');
    await context.client().webhooks.delete(id, { signal: context.signal });
    context.output.value({ id }, () => context.output.line(`${id} is gone.`));
    return 0;
  },
};

export const webhookDeliveries: Command = {
  name: 'webhook deliveries',
  usage: 'ID [options]',
  summary: 'List what was sent, the newest first',
  options: {
    state: { type: 'string', value: 'STATE', words: 'only waiting, delivered, dead or cancelled ones' },
    limit: { type: 'string', value: 'N', words: 'at most so many (default: 50)' },
  },
  completes: 'webhook',
  examples: ['bivouac webhook deliveries whe_…', 'bivouac webhook deliveries whe_… --state dead'],
  async run(context) {
    const state = text(context, 'state') as DeliveryState | undefined;
    const most = number(context, 'limit') ?? USUAL_NUMBER;
    const asked = { limit: Math.min(most + 1, LARGEST_PAGE), ...(state === undefined ? {} : { state }) };
    const found: Delivery[] = [];
    for await (const delivery of context.client().webhooks.deliveries(word(context, 0, 'The webhook'), asked, { signal: context.signal })) {
      if (found.push(delivery) > most) break;
    }
    if (found.length > most) {
      found.pop();
      context.output.note('There are more: --limit N shows them.');
    }
    context.output.value(found, () =>
      context.output.table(
        ['ID', 'STATE', 'TYPE', 'SUBJECT', 'ATTEMPTS', 'LAST ANSWER', 'CREATED'],
        found.map((d) => [d.id, d.state, d.type, d.subject, String(d.attempts.length), lastAnswer(d), relative(d.createdAt)]),
        { empty: 'Nothing was sent yet.', drop: ['SUBJECT', 'ATTEMPTS', 'CREATED'] },
      ),
    );
    return 0;
  },
};

function lastAnswer({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  return last === undefined ? '' : String(last.status ?? last.error ?? '');
}

export const webhookReplay: Command = {
  name: 'webhook replay',
  usage: 'DELIVERY | ID --since TIME [--until TIME]',
  summary: 'Send one delivery, or all of a time, again',
  options: {
    since: { type: 'string', value: 'TIME', words: 'from then on, as 2026-01-01T12:00:00Z' },
    until: { type: 'string', value: 'TIME', words: 'up to then (default: now)' },
    dead: { type: 'boolean', words: 'only what was given up' },
  },
  completes: 'webhook',
  examples: ['bivouac webhook replay whd_…', 'bivouac webhook replay whe_… --since 2026-01-01T12:00:00Z'],
  async run(context) {
    const id = word(context, 0, 'The delivery or the webhook');
    const since = text(context, 'since');
    const until = text(context, 'until') ?? new Date().toISOString();
    const { webhooks } = context.client();
    if (since === undefined) {
      if (id.startsWith('whe_')) throw new UsageError('For a whole webhook say since when: --since TIME');
      const delivery = await webhooks.replayDelivery(id, { signal: context.signal });
      context.output.value(delivery, () => context.output.line('It is being sent again.'));
      return 0;
    }
    const range = { since, until, ...(flag(context, 'dead') ? { state: 'dead' as const } : {}) };
    const result = await webhooks.replay(id, range, { signal: context.signal });
    context.output.value(result, () => context.output.line(`${result.replayed} ${result.replayed === 1 ? 'is' : 'are'} being sent again.`));
    return 0;
  },
};
