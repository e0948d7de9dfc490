import { render } from 'preact';
import { h } from '../dom.js';
import { notebookOf } from '../notebook/notebook.js';
import { NotebookView } from '../notebook/view.js';
import '../notebook/notebook.css';
import { mayChange, type Page } from '../page.js';
import { nameOfSandbox, sandboxHead } from '../parts/sandbox-head.js';

/** Code in a sandbox: cells that keep their variables, with their pictures and charts. */
export const notebookPage: Page = (setting) => {
  const id = setting.parameters[0] ?? '';
  const place = h('div');
  const changing = mayChange(setting.session);
  const head = sandboxHead(setting, id, 'code', (sandbox) => {
    if (sandbox.state === 'running') render(<NotebookView notebook={notebookOf(id)} name={nameOfSandbox(sandbox)} changing={changing} />, place);
    else render(<p class="card dim">Code can be run while the sandbox runs.</p>, place);
  });
  setting.onLeave(() => render(null, place));
  return h('main', {}, ...head, place);
};
