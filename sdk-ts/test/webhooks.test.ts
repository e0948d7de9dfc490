import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError, WorkspaceError } from '../src/index.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = JSON.stringify({ id: 'evt_1', type: 'sandbox.running', data: { state: 'running' } });

function delivery(at = new Date(), text = body): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, text),
  };
}

test('what the published library signed is verified', async () => {
  expect(await verifyWebhook(secret, delivery(), body)).toMatchObject({ type: 'sandbox.running' });
  expect(await verifyWebhook(secret, new Headers(delivery()), body)).toMatchObject({ id: 'evt_1' });
});

interface Vector {
  name: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  /** In seconds since 1970. */
  now: number;
  /** Absent when the delivery is good. */
  error?: string;
}

// The Python SDK is held against the same.
const vectors = JSON.parse(readFileSync(new URL('webhook-vectors.json', import.meta.url), 'utf8')) as Vector[];

test.each(vectors)('vector: $name', async ({ secret, headers, body, now, error }) => {
  const verified = verifyWebhook(secret, headers, body, now * 1000);
  if (error === undefined) await expect(verified).resolves.toEqual(JSON.parse(body));
  else await expect(verified).rejects.toThrow(error);
});

test('one signature that is none does not hide a good one behind it', async () => {
  const headers = delivery();
  headers['webhook-signature'] = `v1,*** ${headers['webhook-signature']}`;
  await expect(verifyWebhook(secret, headers, body)).resolves.toMatchObject({ id: 'evt_1' });
});

test('what was changed, is old, or is not signed by us is refused', async () => {
  const other = 'whsec_' + btoa('another secret of some length');
  await expect(verifyWebhook(secret, delivery(), body + ' ')).rejects.toThrow(WebhookVerificationError);
  await expect(verifyWebhook(other, delivery(), body)).rejects.toThrow('No signature fits');
  await expect(verifyWebhook(secret, delivery(new Date(Date.now() - 600_000)), body)).rejects.toThrow('too old');
  await expect(verifyWebhook(secret, { ...delivery(), 'webhook-timestamp': 'soon' }, body)).rejects.toThrow('too old');
  await expect(verifyWebhook(secret, { 'webhook-id': 'x' }, body)).rejects.toThrow('missing');
  await expect(verifyWebhook(secret, { ...delivery(), 'webhook-signature': 'v1,***' }, body)).rejects.toThrow('No signature fits');
  await expect(verifyWebhook('whsec_***', delivery(), body)).rejects.toThrow('not base64');
  await expect(verifyWebhook(other, delivery(), body)).rejects.toBeInstanceOf(WorkspaceError);
});
