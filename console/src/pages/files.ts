import { h } from '../dom.js';
import { FileBrowser } from '../files/browser.js';
import { HOME } from '../files/paths.js';
import { mayChange, type Page } from '../page.js';
import { sandboxHead } from '../parts/sandbox-head.js';

/** A sandbox's files: looked at, changed, sent and fetched. */
export const filesPage: Page = (setting) => {
  const [id = '', path] = setting.parameters;
  const place = h('div');
  let running: boolean | undefined;
  let leaving: Array<() => void> = [];
  const leave = (): void => leaving.forEach((act) => act());
  const head = sandboxHead(setting, id, 'files', (sandbox) => {
    if (running === (sandbox.state === 'running')) return;
    running = sandbox.state === 'running';
    leave();
    leaving = [];
    if (!running) {
      place.replaceChildren(h('p', { class: 'card dim' }, 'Its files can be seen while the sandbox runs.'));
      return;
    }
    const browser = new FileBrowser(id, mayChange(setting.session));
    place.replaceChildren(browser.element);
    browser.begin(path === undefined || path === '' ? HOME : path, (act) => leaving.push(act));
  });
  setting.onLeave(leave);
  return h('main', { class: 'wide-page' }, ...head, place);
};
