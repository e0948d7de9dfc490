import { button, h } from '../dom.js';
import { isLoggedOut } from '../session.js';

const SHOWN_FOR = { good: 5_000, bad: 12_000 };
const MOST = 4;

/**
 * Tells of something that happened, for a moment, as a card over the page: nothing moves when it comes and goes. The
 * same words are told once. While a dialog is open, only what is in the dialog can be seen.
 */
export function toast(text: string, kind: keyof typeof SHOWN_FOR = 'good'): void {
  const shown = h('div', { class: `toast ${kind}` }, h('span', { class: 'grow' }, text), h('button', { type: 'button', aria: { label: 'Dismiss' }, onclick: () => shown.remove() }, '×'));
  const place = noticesIn(document.querySelector('dialog[open]') ?? document.querySelector('#page') ?? document.body);
  [...place.children].find((one) => one.firstElementChild?.textContent === text)?.remove();
  place.append(shown);
  while (place.childElementCount > MOST) place.firstElementChild?.remove();
  setTimeout(() => shown.remove(), SHOWN_FOR[kind]);
}

function noticesIn(where: Element): Element {
  return where.querySelector(':scope > .toasts') ?? where.appendChild(h('div', { class: 'toasts', role: 'status' }));
}

/** Old trouble is not shown beside what has been done since, nor when the server is back. */
export function clearFailures(): void {
  for (const failure of document.querySelectorAll('.toast.bad')) failure.remove();
}

/** Does something that may fail, and says so when it does. */
export async function attempt<T>(act: () => Promise<T>, done?: string): Promise<T | undefined> {
  try {
    const result = await act();
    if (done !== undefined) {
      clearFailures();
      toast(done);
    }
    return result;
  } catch (failure) {
    if (isLoggedOut(failure)) location.reload();
    toast(failure instanceof Error ? failure.message : String(failure), 'bad');
    return undefined;
  }
}

/** Asks before what cannot be undone. */
export function confirm(question: string, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = h('dialog', { class: 'small' });
    const answer = (value: boolean): void => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    dialog.append(
      h('p', {}, question),
      h('div', { class: 'row end' }, button('Cancel', () => answer(false)), button(yes, () => answer(true), 'danger')),
    );
    dialog.addEventListener('cancel', () => answer(false));
    document.body.append(dialog);
    dialog.showModal();
  });
}
