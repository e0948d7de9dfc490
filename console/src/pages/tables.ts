import type { AuditRow, Delivery, Endpoint, Key, Role, Template } from '@bivouac/sdk';
import { button, h, link } from '../dom.js';
import type { Page } from '../page.js';
import { attempt, confirm, toast } from '../parts/feedback.js';
import { Table } from '../parts/table.js';
import { bytes, relative } from '../parts/words.js';
import { client } from '../session.js';

export const templatesPage: Page = () => {
  const table = new Table<Template>(
    [
      { title: 'Template', cell: (row) => h('strong', {}, row.name) },
      { title: 'What it is', cell: (row) => row.description },
      { title: 'On this machine', cell: (row) => (row.available ? 'yes' : 'no') },
      { title: 'Limits', cell: (row) => `${row.cpu} cores, ${row.memory}, ${row.disk}`, wide: true },
    ],
    'There are no templates.',
  );
  void attempt(() => client.templates.list()).then((templates) => table.show(templates ?? [], (row) => row.name));
  return h('main', {}, h('h1', {}, 'Templates'), table.element);
};

export const keysPage: Page = () => {
  const table = new Table<Key>(
    [
      { title: 'Key', cell: (row) => h('div', {}, row.name, h('div', { class: 'dim mono' }, `${row.prefix}…`)) },
      { title: 'Role', cell: (row) => row.role + (row.system ? ', system' : '') },
      { title: 'Last used', cell: (row) => (row.lastUsedAt === undefined ? 'never' : relative(row.lastUsedAt)), wide: true },
      { title: '', cell: (row) => (row.revokedAt === undefined ? button('Revoke', () => revoke(row)) : 'revoked') },
    ],
    'There are no keys.',
  );
  const read = async (): Promise<void> => {
    const keys: Key[] = [];
    for await (const key of client.keys.list()) keys.push(key);
    table.show(keys, (row) => row.id);
  };
  const revoke = async (key: Key): Promise<void> => {
    if (!(await confirm(`Revoke ${key.name}? Whoever uses it is locked out at once.`, 'Revoke'))) return;
    await attempt(() => client.keys.revoke(key.id), `${key.name} is revoked.`);
    await attempt(read);
  };
  const name = h('input', { required: true, maxLength: 128, placeholder: 'Name', aria: { label: 'Name' } });
  const role = h('select', { aria: { label: 'Role' } }, ...['developer', 'viewer', 'admin'].map((one) => h('option', {}, one)));
  const fresh = h('output', { class: 'mono' });
  const form = h('form', { class: 'row' }, name, role, h('button', { type: 'submit', class: 'primary' }, 'New key'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(async () => {
      const made = await client.keys.create({ name: name.value, role: role.value as Role });
      fresh.textContent = `${made.key} — shown this once`;
      form.reset();
      await read();
    });
  });
  void attempt(read);
  return h('main', {}, h('h1', {}, 'Keys'), form, fresh, table.element);
};

export const webhooksPage: Page = () => {
  const table = new Table<Endpoint>(
    [
      { title: 'Webhook', cell: (row) => h('div', {}, link(row.url, `/webhooks/${row.id}`), h('div', { class: 'dim mono' }, row.id)) },
      { title: 'Types', cell: (row) => row.types.join(', '), wide: true },
      { title: 'Enabled', cell: (row) => (row.enabled ? 'yes' : `no: ${row.disabledReason ?? ''}`) },
      { title: '', cell: (row) => h('div', { class: 'row end' }, button('Test', () => attempt(() => client.webhooks.test(row.id), 'A test event is on its way.')), button('Delete', () => remove(row))) },
    ],
    'Nobody is told of events by webhook.',
  );
  const read = async (): Promise<void> => {
    const endpoints: Endpoint[] = [];
    for await (const endpoint of client.webhooks.list()) endpoints.push(endpoint);
    table.show(endpoints, (row) => row.id);
  };
  const remove = async (endpoint: Endpoint): Promise<void> => {
    if (!(await confirm(`Tell ${endpoint.url} no more?`, 'Delete'))) return;
    await attempt(() => client.webhooks.delete(endpoint.id));
    await attempt(read);
  };
  const url = h('input', { type: 'url', required: true, placeholder: 'https://…', aria: { label: 'URL' } });
  const types = h('input', { placeholder: 'sandbox.*, agent.*', aria: { label: 'Types' } });
  const secret = h('output', { class: 'mono' });
  const form = h('form', { class: 'row' }, url, types, h('button', { type: 'submit', class: 'primary' }, 'New webhook'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const patterns = types.value.split(',').map((one) => one.trim()).filter((one) => one !== '');
    void attempt(async () => {
      const made = await client.webhooks.create({ url: url.value, ...(patterns.length === 0 ? {} : { types: patterns }) });
      secret.textContent = `${made.secret} — shown this once`;
      form.reset();
      await read();
    });
  });
  void attempt(read);
  return h('main', {}, h('h1', {}, 'Webhooks'), form, secret, table.element);
};

export const deliveriesPage: Page = ({ parameters }) => {
  const id = parameters[0] ?? '';
  const table = new Table<Delivery>(
    [
      { title: 'Delivery', cell: (row) => h('div', {}, row.type, h('div', { class: 'dim mono' }, row.id)) },
      { title: 'State', cell: (row) => row.state },
      { title: 'Attempts', cell: (row) => String(row.attempts.length) },
      { title: 'When', cell: (row) => relative(row.createdAt), wide: true },
      { title: '', cell: (row) => button('Send again', () => again(row)) },
    ],
    'Nothing was sent yet.',
  );
  const read = async (): Promise<void> => table.show((await client.webhooks.deliveries(id, { limit: 100 })).items, (row) => row.id);
  const again = async (delivery: Delivery): Promise<void> => {
    await attempt(() => client.webhooks.replayDelivery(delivery.id), 'It is being sent again.');
    await attempt(read);
  };
  void attempt(read);
  return h('main', {}, link('← Webhooks', '/webhooks'), h('div', { class: 'row' }, h('h1', {}, 'Deliveries'), h('span', { class: 'grow' }), button('Refresh', () => attempt(read))), table.element);
};

export const auditPage: Page = () => {
  const table = new Table<AuditRow>(
    [
      { title: '#', cell: (row) => String(row.sequence) },
      { title: 'When', cell: (row) => row.at.replace('T', ' ').slice(0, 19), wide: true },
      { title: 'Who', cell: (row) => h('span', { class: 'mono' }, row.actor) },
      { title: 'What', cell: (row) => row.action },
      { title: 'To what', cell: (row) => h('span', { class: 'mono' }, row.subject) },
    ],
    'Nothing was done yet.',
  );
  const verify = async (): Promise<void> => {
    const verdict = await attempt(() => client.audit.verify());
    if (verdict !== undefined) toast(verdict.intact ? 'The audit is intact.' : `The audit is broken at row ${verdict.firstBroken}.`, verdict.intact ? 'good' : 'bad');
  };
  void attempt(() => client.audit.list({ limit: 200 }).then((page) => table.show(page.items, (row) => String(row.sequence))));
  return h('main', {}, h('div', { class: 'row' }, h('h1', {}, 'Audit'), h('span', { class: 'grow' }), button('Verify', verify)), table.element);
};

export const systemPage: Page = () => {
  const facts = h('dl', { class: 'facts card' });
  const read = async (): Promise<void> => {
    const stats = await client.system.stats();
    const rows: Array<[string, string]> = [
      ['Host', stats.host],
      ['Installation', stats.installation],
      ['Runtime', stats.runtime.name],
      ['Sandboxes', Object.entries(stats.sandboxes).map(([state, count]) => `${count} ${state}`).join(', ') || 'none'],
      ['Events waiting', `${stats.outbox.unpublished}, for ${stats.outbox.lagSeconds.toFixed(1)} s`],
      ['Up', relative(new Date(Date.now() - stats.server.uptimeSeconds * 1000).toISOString())],
      ['Heap', bytes(stats.server.heapBytes)],
      ['Notes', stats.runtime.notes.join(' ') || 'none'],
    ];
    facts.replaceChildren(...rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  };
  void attempt(read);
  const collect = (): Promise<unknown> => attempt(() => client.system.gc(), 'Cleaned up.');
  return h('main', {}, h('div', { class: 'row' }, h('h1', {}, 'System'), h('span', { class: 'grow' }), button('Clean up now', collect)), facts);
};
