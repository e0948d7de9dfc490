import type { Delivery, DeliveryAttempt, DeliveryState, Endpoint } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { facts } from '../parts/facts.js';
import { attempt, toast } from '../parts/feedback.js';
import { repeat } from '../parts/repeat.js';
import { Table } from '../parts/table.js';
import { when } from '../parts/when.js';
import { atTime, relative } from '../parts/words.js';
import { client } from '../session.js';
import { standing } from './webhooks.js';

const EVERY = 3_000;
const SHOWN = 100;
const HOUR = 3_600_000;
const STATES: readonly DeliveryState[] = ['waiting', 'delivered', 'dead', 'cancelled'];

/** One webhook: what was sent, how that went, and sending it again. */
export const webhookPage: Page = ({ parameters, session, onLeave }) => {
  const id = parameters[0] ?? '';
  const changing = mayChange(session);
  const head = h('div', { class: 'row' }, h('h1', {}, 'Webhook'));
  const shown = h('dl', { class: 'facts card' });
  const wanted = h('select', { aria: { label: 'State' } }, h('option', { value: '' }, 'all deliveries'), ...STATES.map((state) => h('option', {}, state)));
  const table = new Table<Delivery>(
    [
      { title: 'Delivery', cell: (row) => h('div', {}, row.type, h('div', { class: 'dim mono' }, row.subject)) },
      { title: 'State', cell: (row) => h('span', { class: `state ${row.state}` }, row.state) },
      { title: 'Attempts', cell: attempts },
      { title: 'Created', cell: (row) => when(row.createdAt), wide: true },
      { title: '', cell: (row) => h('div', { class: 'row end' }, changing && button('Resend', () => again(row))) },
    ],
    'No deliveries yet.',
  );
  const read = async (): Promise<void> => {
    const state = wanted.value as DeliveryState | '';
    const [endpoint, page] = await Promise.all([client.webhooks.get(id), client.webhooks.deliveries(id, { limit: SHOWN, ...(state === '' ? {} : { state }) })]);
    head.replaceChildren(h('h1', {}, endpoint.url), standing(endpoint), h('span', { class: 'grow' }), ...(changing ? actions(endpoint, read) : []));
    shown.replaceChildren(...factsOf(endpoint));
    table.show(page.items, (row) => row.id);
  };
  const again = async (delivery: Delivery): Promise<void> => {
    await attempt(() => client.webhooks.replayDelivery(delivery.id), 'Resending.');
    await attempt(read);
  };
  wanted.addEventListener('change', () => void attempt(read));
  repeat(EVERY, onLeave, read);
  return h('main', {}, link('← Webhooks', '/webhooks'), head, shown, h('div', { class: 'row' }, h('h2', {}, 'Deliveries'), h('span', { class: 'grow' }), wanted), table.element);
};

function actions(endpoint: Endpoint, read: () => Promise<void>): HTMLElement[] {
  const does = (text: string, act: () => Promise<unknown>, done: string): HTMLButtonElement =>
    button(text, () => attempt(act, done).then(() => attempt(read)));
  const replay = async (): Promise<void> => {
    const since = new Date(Date.now() - HOUR).toISOString();
    const result = await attempt(() => client.webhooks.replay(endpoint.id, { since }));
    if (result !== undefined) toast(`${result.replayed} are being resent.`);
    await attempt(read);
  };
  const { id, enabled } = endpoint;
  return [
    does('Test', () => client.webhooks.test(id), 'A test event is on its way.'),
    button('Resend last hour', replay),
    does(enabled ? 'Disable' : 'Enable', () => client.webhooks.change(id, { enabled: !enabled }), enabled ? 'It is disabled.' : 'It is enabled.'),
  ];
}

function factsOf(endpoint: Endpoint): HTMLElement[] {
  return facts([
    ['Id', endpoint.id],
    ['Description', endpoint.description],
    ['Types', endpoint.types.join(', ')],
    ['Disabled because', endpoint.disabledReason],
    ['Failing', endpoint.failingSince === undefined ? undefined : `since ${relative(endpoint.failingSince)}`],
    ['Retry schedule', endpoint.retry],
    ['Strict order', endpoint.fifo ? 'yes' : undefined],
    ['Created', relative(endpoint.createdAt)],
  ]);
}

/** How each try went, when asked for. The listing has no answers of receivers: they are read when it is opened. */
function attempts(delivery: Delivery): HTMLElement | string {
  const last = delivery.attempts.at(-1);
  if (last === undefined) return 'none yet';
  const next = typeof delivery.nextAttemptAt === 'string' ? `, next ${relative(delivery.nextAttemptAt)}` : '';
  const tries = h('div', {}, ...delivery.attempts.map(attemptLine));
  const details = h('details', {}, h('summary', {}, `${delivery.attempts.length}: ${last.status ?? last.error ?? ''}${next}`), tries);
  details.addEventListener('toggle', () => {
    if (!details.open) return;
    void attempt(() => client.webhooks.delivery(delivery.id)).then((whole) => {
      if (whole !== undefined) tries.replaceChildren(...whole.attempts.map(attemptLine));
    });
  });
  return details;
}

function attemptLine(one: DeliveryAttempt): HTMLElement {
  const answer = one.response === undefined || one.response === '' ? undefined : h('pre', { class: 'log' }, one.response);
  return h('div', { class: 'dim' }, `${atTime(one.at)} ${one.status ?? ''} ${one.error ?? ''} after ${one.durationMs} ms`, answer);
}
