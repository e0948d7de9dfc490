import { createHmac, randomBytes } from 'node:crypto';
import type { BivouacEvent, EventPattern } from '@bivouac/sdk';
import { text, word, type Command } from '../command.js';

const DELIVERY_TIMEOUT = 15_000;

/**
 * Follows the event stream and posts each event to a program on this machine, signed as a webhook is: so a receiver
 * can be written and tried before it has an address that a server could reach.
 */
export const webhookListen: Command = {
  name: 'webhook listen',
  aliases: ['listen'],
  usage: 'URL [options]',
  summary: 'Forward events to a program on this machine, signed as webhooks are',
  options: {
    types: { type: 'string', value: 'PATTERNS', words: 'only these, as sandbox.*,agent.disconnected' },
    secret: { type: 'string', value: 'SECRET', words: 'sign with this one (default: a fresh one, printed)' },
  },
  examples: ['bivouac webhook listen http://localhost:3000/hook', "bivouac webhook listen http://localhost:3000/hook --types 'sandbox.*'"],
  async run(context) {
    const target = new URL(word(context, 0, 'The URL'));
    const secret = text(context, 'secret') ?? `whsec_${randomBytes(24).toString('base64')}`;
    const types = text(context, 'types')?.split(',') as EventPattern[] | undefined;
    const stream = context.client().events({ signal: context.signal, ...(types === undefined ? {} : { types }) });
    void stream.ready.then(() => context.output.note(`Forwarding to ${target.href}, signed with ${secret}`));
    for await (const event of stream) {
      if (event.type === 'gap') continue;
      const result = await post(target, secret, event);
      context.output.value({ id: event.id, type: event.type, result }, () =>
        context.output.line(`${event.type.padEnd(18)} ${event.subject}  ${result}`),
      );
    }
    return 0;
  },
};

async function post(target: URL, secret: string, event: BivouacEvent): Promise<number | string> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64');
  try {
    const answer = await fetch(target, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT),
    });
    return answer.status;
  } catch (failure) {
    return failure instanceof Error ? `not delivered: ${(failure.cause as Error | undefined)?.message ?? failure.message}` : 'not delivered';
  }
}
