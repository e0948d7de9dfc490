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

test('the known vector', async () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,nope v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  await expect(verifyWebhook(secret, headers, '{"test": 2432232314}', 1614265330_000)).resolves.toEqual({ test: 2432232314 });
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
