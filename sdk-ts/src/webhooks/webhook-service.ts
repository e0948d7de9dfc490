import { Listing, type Page } from '../http/listing.js';
import type { CallOptions, Transport } from '../http/transport.js';

export interface EndpointParams {
  url: string;
  /** Patterns such as `sandbox.*`; all types when absent. */
  types?: string[];
  description?: string;
  enabled?: boolean;
  /** `long` tries for days, `short` three times within seconds. */
  retry?: 'long' | 'short';
  /** One after the other, in order. */
  fifo?: boolean;
  /** Deliveries a second. */
  rateLimit?: number;
  concurrency?: number;
  signing?: 'v1' | 'v1a';
}

export interface Endpoint extends Required<Pick<EndpointParams, 'url' | 'types' | 'enabled' | 'retry' | 'fifo' | 'concurrency' | 'signing'>> {
  id: string;
  description?: string;
  rateLimit?: number;
  disabledReason?: string;
  disabledAt?: string;
  failingSince?: string;
  publicKey?: string;
  /** Only when it has just been made. */
  secret?: string;
  previousSecretUntil?: string;
  createdAt: string;
  updatedAt: string;
}

export type DeliveryState = 'waiting' | 'delivered' | 'dead' | 'cancelled';

/** One try to deliver. */
export interface DeliveryAttempt {
  at: string;
  durationMs: number;
  /** What was answered, if anything was. */
  status?: number;
  error?: string;
  /** How the answer began. */
  response?: string;
}

export interface Delivery {
  id: string;
  endpointId: string;
  eventId: string;
  type: string;
  subject: string;
  state: DeliveryState;
  /** The last ones, the oldest first. */
  attempts: DeliveryAttempt[];
  nextAttemptAt?: string | null;
  createdAt: string;
  updatedAt: string;
}

const ENDPOINTS = '/api/v1/webhooks/endpoints';

/** Who is told of the project's events, and how that went. */
export class WebhookService {
  constructor(private readonly transport: Transport) {}

  create(params: EndpointParams, options: CallOptions = {}): Promise<Endpoint> {
    return this.transport.json('POST', ENDPOINTS, { ...options, body: params });
  }

  list(options: CallOptions = {}): Listing<Endpoint> {
    return new Listing((cursor) => this.transport.json<Page<Endpoint>>('GET', ENDPOINTS, { ...options, query: { cursor } }));
  }

  get(id: string, options: CallOptions = {}): Promise<Endpoint> {
    return this.transport.json('GET', endpoint(id), options);
  }

  change(id: string, params: Partial<EndpointParams>, options: CallOptions = {}): Promise<Endpoint> {
    return this.transport.json('PATCH', endpoint(id), { ...options, body: params });
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('DELETE', endpoint(id), options);
  }

  /** The former secret signs as well for another 24 hours. */
  rotateSecret(id: string, options: CallOptions = {}): Promise<Endpoint> {
    return this.transport.json('POST', endpoint(id, '/rotate-secret'), options);
  }

  /** Sends an event made up for the purpose. */
  async test(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.json('POST', endpoint(id, '/test'), options);
  }

  /** The newest first. */
  deliveries(id: string, params: { state?: DeliveryState; limit?: number } = {}, options: CallOptions = {}): Listing<Delivery> {
    return new Listing((cursor) =>
      this.transport.json<Page<Delivery>>('GET', endpoint(id, '/deliveries'), { ...options, query: { ...params, cursor } }),
    );
  }

  /** One delivery with what the receiver answered to each attempt, which listings leave out. */
  delivery(deliveryId: string, options: CallOptions = {}): Promise<Delivery> {
    return this.transport.json('GET', `/api/v1/webhooks/deliveries/${encodeURIComponent(deliveryId)}`, options);
  }

  /** Sends one delivery again. */
  replayDelivery(deliveryId: string, options: CallOptions = {}): Promise<Delivery> {
    return this.transport.json('POST', `/api/v1/webhooks/deliveries/${encodeURIComponent(deliveryId)}/replay`, options);
  }

  /** Sends everything of this time again, or only what was given up; tells how much that is. */
  replay(id: string, range: { since: string; until?: string; state?: 'dead' }, options: CallOptions = {}): Promise<{ replayed: number }> {
    return this.transport.json('POST', endpoint(id, '/replay'), { ...options, body: range });
  }
}

function endpoint(id: string, rest = ''): string {
  return `${ENDPOINTS}/${encodeURIComponent(id)}${rest}`;
}
