import type { Key, Role } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import type { Page } from '../page.js';
import { attempt, confirm } from '../parts/feedback.js';
import { onceShown } from '../parts/once-shown.js';
import { Table } from '../parts/table.js';
import { when } from '../parts/when.js';
import { client } from '../session.js';

/** Who may come in, as what. */
export const keysPage: Page = () => {
  const table = new Table<Key>(
    [
      { title: 'Key', cell: (row) => h('div', {}, row.name, h('div', { class: 'dim mono' }, `${row.prefix}…`)) },
      { title: 'Role', cell: (row) => row.role + (row.system ? ', system' : '') },
      { title: 'Last used', cell: (row) => (row.lastUsedAt === undefined ? 'never' : when(row.lastUsedAt)), wide: true },
      { title: '', cell: (row) => h('div', { class: 'row end' }, row.revokedAt === undefined ? button('Revoke', () => revoke(row)) : h('span', { class: 'dim' }, 'revoked')) },
    ],
    'No keys yet.',
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
  const fresh = h('div');
  const form = h('form', { class: 'row' }, name, role, h('button', { type: 'submit', class: 'primary' }, 'New key'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(async () => {
      const made = await client.keys.create({ name: name.value, role: role.value as Role });
      fresh.replaceChildren(onceShown(`API key "${made.name}"`, made.key ?? ''));
      form.reset();
      await read();
    });
  });
  void attempt(read);
  return h('main', {}, h('h1', {}, 'Keys'), form, fresh, table.element);
};
