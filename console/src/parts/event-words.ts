import type { BivouacEvent } from '@bivouac/sdk';
import type { IconName } from '../ui/icons.js';
import { nameOfCaller } from './names.js';

export interface EventWords {
  icon: IconName;
  kind: 'good' | 'warn' | 'bad' | 'calm';
  /** After the sandbox's name: `opened a terminal`. */
  text: string;
  /** More of it, in one line. */
  detail?: string | undefined;
}

/** An event as somebody would tell it. */
export function wordsOf(event: BivouacEvent): EventWords {
  switch (event.type) {
    case 'sandbox.created':
      return { icon: 'plus', kind: 'calm', text: 'was created', detail: event.data.template };
    case 'sandbox.starting':
      return { icon: 'clock', kind: 'calm', text: 'starts' };
    case 'sandbox.running':
      return { icon: 'play', kind: 'good', text: 'is running' };
    case 'sandbox.paused':
      return { icon: 'stop', kind: 'calm', text: 'was paused' };
    case 'sandbox.resumed':
      return { icon: 'play', kind: 'good', text: 'was resumed' };
    case 'sandbox.stopped':
      return { icon: 'stop', kind: 'calm', text: event.data.stopReason === 'expired' ? 'expired' : 'was stopped' };
    case 'sandbox.expiring':
      return { icon: 'clock', kind: 'warn', text: 'expires soon' };
    case 'sandbox.expired':
      return { icon: 'clock', kind: 'warn', text: 'reached its end' };
    case 'sandbox.deleted':
      return { icon: 'trash', kind: 'calm', text: 'was deleted' };
    case 'sandbox.error':
      return { icon: 'alert', kind: 'bad', text: 'is in error', detail: event.data.stateReason };
    case 'sandbox.port-opened':
      return { icon: 'port', kind: 'good', text: `listens on port ${event.data.port}${event.data.program === undefined ? '' : ` (${event.data.program})`}` };
    case 'sandbox.port-closed':
      return { icon: 'port', kind: 'calm', text: `closed port ${event.data.port}` };
    case 'agent.connected':
      return { icon: 'check', kind: 'calm', text: 'agent connected' };
    case 'agent.disconnected':
      return { icon: 'alert', kind: 'calm', text: 'agent disconnected', detail: event.data.reason };
    case 'permission.requested':
      return { icon: 'lock', kind: 'warn', text: `asks: ${event.data.summary}`, detail: event.data.source };
    case 'permission.resolved':
      return { icon: 'lock', kind: event.data.decision === 'allowed' ? 'good' : 'bad', text: `permission ${event.data.decision}`, detail: event.data.decidedBy === undefined ? event.data.reason : `by ${nameOfCaller(event.data.decidedBy)}` };
    case 'terminal.started':
      return { icon: 'terminal', kind: 'good', text: 'opened a terminal', detail: event.data.startedBy === undefined ? undefined : `by ${nameOfCaller(event.data.startedBy)}` };
    case 'terminal.ended':
      return { icon: 'terminal', kind: 'calm', text: 'terminal ended', detail: event.data.reason };
    case 'webhook.disabled':
      return { icon: 'webhooks', kind: 'bad', text: 'webhook was disabled', detail: event.data.url };
    case 'webhook.test':
      return { icon: 'webhooks', kind: 'calm', text: 'webhook was tested', detail: event.data.url };
    default:
      // An event of a newer server.
      return { icon: 'overview', kind: 'calm', text: (event as { type: string }).type };
  }
}
