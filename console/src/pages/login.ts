import { h } from '../dom.js';
import { logIn, type Session } from '../session.js';

/** Asks for a key. */
export function loginPage(done: (session: Session) => void): HTMLElement {
  const key = h('input', { type: 'password', name: 'key', autocomplete: 'current-password', required: true, autofocus: true });
  const problem = h('p', { class: 'bad', role: 'alert' });
  const submit = h('button', { type: 'submit', class: 'primary' }, 'Log in');
  const form = h(
    'form',
    { class: 'card login' },
    h('h1', {}, 'Bivouac'),
    h('label', {}, 'API key', key),
    h('p', { class: 'dim' }, 'The server printed one when it first started; it is in the data folder’s file api-key.'),
    problem,
    submit,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit.disabled = true;
    logIn(key.value.trim())
      .then(done, (failure: unknown) => {
        problem.textContent = failure instanceof Error ? failure.message : String(failure);
        key.select();
      })
      .finally(() => (submit.disabled = false));
  });
  return h('main', { class: 'centre' }, form);
}
