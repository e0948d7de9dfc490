import type { Endpoint } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import { mayChange, type Page } from '../page.js';
import { attempt, confirm } from '../parts/feedback.js';
import { onceShown } from '../parts/once-shown.js';
import { Table } from '../parts/table.js';
import { client } from '../session.js';

/** In a word or two, how it stands. */
export function standing(endpoint: Endpoint): HTMLElement {
  if (!endpoint.enabled) return h('span', { class: 'state', title: endpoint.disabledReason ?? '' }, 'disabled');
  return endpoint.failingSince === undefined ? h('span', { class: 'state running' }, 'enabled') : h('span', { class: 'state error' }, 'failing');
}

/** Who is told of events. */
export const webhooksPage: Page = ({ session }) => {
  const changing = mayChange(session);
  const table = new Table<Endpoint>(
    [
      { title: 'Webhook', cell: (row) => h('div', {}, link(row.url, `/webhooks/${row.id}`), h('div', { class: 'dim' }, row.description ?? row.id)) },
      { title: 'State', cell: standing },
      { title: 'Types', cell: (row) => row.types.join(', '), wide: true },
      { title: '', cell: (row) => h('div', { class: 'row end' }, changing && button('Delete', () => remove(row))) },
    ],
    'No webhooks yet. Add a URL to receive events.',
  );
  const read = async (): Promise<void> => {
    const endpoints: Endpoint[] = [];
    for await (const endpoint of client.webhooks.list()) endpoints.push(endpoint);
    table.show(endpoints, (row) => row.id);
  };
  const remove = async (endpoint: Endpoint): Promise<void> => {
    if (!(await confirm(`Delete the webhook ${endpoint.url}? It receives nothing more.`, 'Delete'))) return;
    await attempt(() => client.webhooks.delete(endpoint.id));
    await attempt(read);
  };
  const secret = h('div');
  void attempt(read);
  return h('main', {}, h('h1', {}, 'Webhooks'), changing && creation(secret, read), secret, table.element);
};

function creation(secret: HTMLElement, read: () => Promise<void>): HTMLElement {
  const url = h('input', { type: 'url', required: true, placeholder: 'https://…', class: 'grow', aria: { label: 'URL' } });
  const types = h('input', { placeholder: 'all types, or: sandbox.*, agent.*', class: 'grow', aria: { label: 'Types' } });
  const form = h('form', { class: 'row' }, url, types, h('button', { type: 'submit', class: 'primary' }, 'New webhook'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const patterns = types.value.split(',').map((one) => one.trim()).filter((one) => one !== '');
    void attempt(async () => {
      const made = await client.webhooks.create({ url: url.value, ...(patterns.length === 0 ? {} : { types: patterns }) });
      secret.replaceChildren(onceShown('Signing secret', made.secret ?? ''));
      form.reset();
      await read();
    });
  });
  return form;
}
