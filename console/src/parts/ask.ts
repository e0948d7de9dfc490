import { button, h } from '../dom.js';

/** Asks for one line of text; undefined when it is not given. */
export function askText(title: string, label: string, yes: string, initial = ''): Promise<string | undefined> {
  const line = h('input', { required: true, value: initial, autocomplete: 'off', spellcheck: false });
  return new Promise((resolve) => {
    const dialog = h('dialog', { class: 'small', aria: { label: title } });
    const answer = (value: string | undefined): void => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    const form = h('form', {}, h('h2', {}, title), h('label', {}, label, line), h('div', { class: 'row end' }, button('Cancel', () => answer(undefined)), h('button', { type: 'submit', class: 'primary' }, yes)));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      answer(line.value);
    });
    dialog.append(form);
    dialog.addEventListener('cancel', () => answer(undefined));
    document.body.append(dialog);
    dialog.showModal();
    line.focus();
    // A name is changed, its ending rarely.
    const dot = initial.lastIndexOf('.');
    line.setSelectionRange(0, dot > 0 ? dot : initial.length);
  });
}

/** Asks which of several things to do; undefined when none. */
export function askWhich<Choice extends string>(question: string, choices: ReadonlyArray<readonly [Choice, string, string?]>, none: string): Promise<Choice | undefined> {
  return new Promise((resolve) => {
    const dialog = h('dialog', { aria: { label: question } });
    const answer = (value: Choice | undefined): void => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    dialog.append(h('p', {}, question), h('div', { class: 'row end' }, button(none, () => answer(undefined)), ...choices.map(([choice, words, names]) => button(words, () => answer(choice), names))));
    dialog.addEventListener('cancel', () => answer(undefined));
    document.body.append(dialog);
    dialog.showModal();
  });
}
