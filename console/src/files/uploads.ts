import { button, h } from '../dom.js';
import { bytes } from '../parts/words.js';
import { OURS } from '../session.js';
import type { Dropped } from './dropped.js';
import { contentUrl, join } from './paths.js';

const AT_ONCE = 3;
const SHOWN_AFTER = 2_500;
const THERE_ALREADY = [409, 412];

/** Uploads under way, each with its progress. What is there already is replaced only when told to. */
export class Uploads {
  readonly element = h('ul', { class: 'uploads', aria: { label: 'Uploads' } });
  private readonly waiting: Array<() => Promise<void>> = [];
  private running = 0;

  constructor(
    private readonly sandbox: string,
    private readonly done: () => void,
  ) {}

  add(dropped: readonly Dropped[], folder: string): void {
    for (const one of dropped) this.queue(one, join(folder, one.path), false);
  }

  private queue(one: Dropped, path: string, replacing: boolean): void {
    const bar = h('progress', { max: 1, value: 0, aria: { label: `Upload of ${one.path}` } });
    const state = h('span', { class: 'dim' }, 'waiting');
    const tools = h('span', { class: 'row' });
    const row = h('li', { class: 'row' }, h('span', { class: 'mono grow' }, one.path), state, bar, tools);
    let cancelled = false;
    let cancel = (): void => {
      cancelled = true;
      row.remove();
    };
    tools.append(button('Cancel', () => cancel()));
    this.element.append(row);
    this.waiting.push(async () => {
      if (cancelled) return;
      const request = new XMLHttpRequest();
      cancel = () => request.abort();
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        bar.value = total === 0 ? 1 : loaded / total;
        state.textContent = `${bytes(loaded)} of ${bytes(total)}`;
      });
      const status = await send(request, `${contentUrl(this.sandbox, path)}&parents=true`, one.file, replacing);
      if (status === 'aborted') row.remove();
      else if (status >= 200 && status < 300) {
        state.textContent = 'uploaded';
        tools.replaceChildren();
        setTimeout(() => row.remove(), SHOWN_AFTER);
        this.done();
      } else if (!replacing && THERE_ALREADY.includes(status)) {
        const again = (): void => {
          row.remove();
          this.queue(one, path, true);
        };
        state.textContent = 'There is one already.';
        bar.remove();
        tools.replaceChildren(button('Skip', () => row.remove()), button('Replace', again, 'danger'));
      } else {
        state.className = 'bad';
        state.textContent = reasonOf(request);
        bar.remove();
        tools.replaceChildren(button('Dismiss', () => row.remove()));
      }
    });
    this.next();
  }

  private next(): void {
    while (this.running < AT_ONCE) {
      const one = this.waiting.shift();
      if (one === undefined) return;
      this.running++;
      void one().finally(() => {
        this.running--;
        this.next();
      });
    }
  }
}

/** By XMLHttpRequest: fetch tells nothing of how far a body was sent. */
function send(request: XMLHttpRequest, address: string, file: File, replacing: boolean): Promise<number | 'aborted'> {
  return new Promise((resolve) => {
    request.addEventListener('load', () => resolve(request.status));
    request.addEventListener('error', () => resolve(0));
    request.addEventListener('abort', () => resolve('aborted'));
    request.open('PUT', address);
    for (const [name, value] of Object.entries(OURS)) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    if (!replacing) request.setRequestHeader('If-None-Match', '*');
    request.send(file);
  });
}

function reasonOf(request: XMLHttpRequest): string {
  if (request.status === 0) return 'The connection broke; nothing was stored.';
  try {
    return (JSON.parse(request.responseText) as { detail?: string }).detail ?? `The server answered ${request.status}.`;
  } catch {
    return `The server answered ${request.status}.`;
  }
}
