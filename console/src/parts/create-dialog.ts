import type { CreateParams } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import { client } from '../session.js';
import { attempt } from './feedback.js';

/** Asks what to make, makes it and shows it. */
export function createDialog(): void {
  const template = h('select', { name: 'template' }, h('option', { value: 'default' }, 'default'));
  const name = h('input', { name: 'name', maxLength: 128 });
  const minutes = h('input', { name: 'minutes', type: 'number', min: '1', max: '1440', value: '60', required: true });
  const make = h('button', { type: 'submit', class: 'primary' }, 'Create');
  const dialog = h('dialog');
  const form = h(
    'form',
    { method: 'dialog' },
    h('h2', {}, 'New sandbox'),
    h('label', {}, 'Template', template),
    h('label', {}, 'Name', name),
    h('label', {}, 'Lifetime in minutes', minutes),
    h('div', { class: 'row end' }, button('Cancel', () => dialog.close()), make),
  );
  dialog.append(form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void create({
      template: template.value,
      timeoutSeconds: Number(minutes.value) * 60,
      ...(name.value === '' ? {} : { name: name.value }),
    });
  });
  const create = async (params: CreateParams): Promise<void> => {
    make.disabled = true;
    make.textContent = 'Starting…';
    const made = await attempt(() => client.sandbox.create(params));
    make.disabled = false;
    make.textContent = 'Create';
    if (made === undefined) return;
    dialog.close();
    location.hash = `/sandboxes/${made.id}`;
  };
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  void attempt(() => client.templates.list()).then((templates) => {
    if (templates === undefined) return;
    template.replaceChildren(
      ...templates.map((one) => h('option', { value: one.name, disabled: !one.available }, one.available ? one.name : `${one.name} (not on this machine)`)),
    );
  });
}
