import { WorkspaceError } from '../errors/workspace-error.js';
import type { BivouacEvent } from '../generated/events.js';

/** The delivery is not what we signed: changed on its way, too old, or not ours. */
export class WebhookVerificationError extends WorkspaceError {
  constructor(message: string) {
    super(message, { code: 0, name: 'WEBHOOK_VERIFICATION_FAILED' });
  }
}

export interface DeliveryHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Older or newer deliveries are refused, so that a recorded one cannot be sent again later. */
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Checks a delivery by Standard Webhooks and gives its event.
 * @param body the exact text of the request's body
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Partial<Record<string, string | string[]>>,
  body: string,
  now: number = Date.now(),
): Promise<BivouacEvent> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS) {
    throw new WebhookVerificationError('The delivery is too old or from the future.');
  }
  const key = await crypto.subtle.importKey('raw', secretBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(' ')) {
    const [version, text] = signature.split(',');
    const bytes = version === 'v1' && text !== undefined ? base64(text) : undefined;
    // Compares in constant time; several are there while a secret is being changed, and one may be no signature at all.
    if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(body) as BivouacEvent;
  }
  throw new WebhookVerificationError('No signature fits.');
}

function header(headers: Headers | Partial<Record<string, string | string[]>>, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = base64(secret.replace(/^whsec_/, ''));
  if (bytes === undefined) throw new WebhookVerificationError('The secret is not base64.');
  return bytes;
}

/** Undefined for what is none. */
function base64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
