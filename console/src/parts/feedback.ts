import { button, h } from '../dom.js';
import { isLoggedOut } from '../session.js';

const SHOWN_FOR = 6_000;

/** Tells of something that happened, for a moment. */
export function toast(text: string, kind: 'good' | 'bad' = 'good'): void {
  const place = document.querySelector('.toasts') ?? document.body.appendChild(h('div', { class: 'toasts', role: 'status' }));
  const shown = h('div', { class: `toast ${kind}` }, text);
  place.append(shown);
  setTimeout(() => shown.remove(), SHOWN_FOR);
}

/** Does something that may fail, and says so when it does. */
export async function attempt<T>(act: () => Promise<T>, done?: string): Promise<T | undefined> {
  try {
    const result = await act();
    if (done !== undefined) toast(done);
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
