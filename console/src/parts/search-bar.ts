import type { SearchAddon } from '@xterm/addon-search';
import { button, h } from '../dom.js';

/** Colours of what was found: the others', and the one that is looked at. */
const DECORATIONS = { matchBackground: '#5c4a00', matchOverviewRuler: '#f0b429', activeMatchBackground: '#b06a00', activeMatchColorOverviewRuler: '#ff8a00' };

/** Finds words in a terminal. Enter goes back to the one before, Shift-Enter on to the next, Escape closes. */
export class SearchBar {
  readonly element: HTMLElement;
  private readonly words = h('input', { type: 'search', placeholder: 'Find', aria: { label: 'Find in the terminal' } });
  private readonly count = h('span', { class: 'dim', role: 'status' });

  constructor(
    private readonly search: SearchAddon,
    private readonly closed: () => void,
  ) {
    search.onDidChangeResults(({ resultIndex, resultCount }) => {
      this.count.textContent = this.words.value === '' ? '' : resultCount === 0 ? 'nothing' : `${resultIndex + 1} of ${resultCount}`;
    });
    this.words.addEventListener('input', () => this.find(true, true));
    this.words.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.find(!event.shiftKey);
      else if (event.key === 'Escape') this.close();
      else return;
      event.preventDefault();
    });
    this.element = h('div', { class: 'search-bar', hidden: true }, this.words, this.count, button('↑', () => this.find(true)), button('↓', () => this.find(false)), button('×', () => this.close()));
    for (const [one, label] of [[2, 'Before'], [3, 'After'], [4, 'Close']] as const) this.element.children[one]?.setAttribute('aria-label', label);
  }

  open(): void {
    this.element.hidden = false;
    this.words.select();
    this.words.focus();
  }

  private close(): void {
    this.element.hidden = true;
    this.search.clearDecorations();
    this.closed();
  }

  private find(before: boolean, incremental = false): void {
    const options = { decorations: DECORATIONS };
    if (before) this.search.findPrevious(this.words.value, { ...options, incremental });
    else this.search.findNext(this.words.value, options);
  }
}
