import type { FileInfo, FileService } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import { when } from '../parts/when.js';
import { bytes } from '../parts/words.js';
import { contentsOf, MOST_TEXT, type Contents } from './contents.js';
import { Editor } from './editor.js';
import { linksFrom } from './links.js';
import { markdown } from './markdown.js';
import { contentUrl, nameOf, parentOf } from './paths.js';

export interface PreviewPlace {
  sandbox: string;
  changing: boolean;
  close(): void;
}

/** One file, as what it is: text to be edited, Markdown, a picture. */
export class Preview {
  readonly element: HTMLElement;
  private readonly title = h('h2');
  private readonly facts = h('span', { class: 'dim' });
  private readonly tools = h('div', { class: 'row' });
  private readonly body = h('div', { class: 'preview-body' });
  private path: string | undefined;
  private editor: Editor | undefined;
  private shownEtag = '';
  private turn = 0;

  constructor(
    private readonly files: FileService,
    private readonly place: PreviewPlace,
  ) {
    this.element = h('section', { class: 'card preview', hidden: true, aria: { label: 'Preview' } }, h('div', { class: 'row' }, this.title, this.facts, h('span', { class: 'grow' }), this.tools), this.body);
  }

  get shown(): string | undefined {
    return this.path;
  }

  close(): void {
    this.turn++;
    this.path = undefined;
    this.editor = undefined;
    this.element.hidden = true;
  }

  /** The folder has the file in this version. */
  seen(entry: FileInfo): void {
    if (entry.type !== 'file') return;
    if (this.editor !== undefined) this.editor.seen(entry.etag);
    else if (this.shownEtag !== '' && entry.etag !== this.shownEtag && this.path !== undefined) void this.open(this.path, entry);
  }

  async open(path: string, entry: FileInfo): Promise<void> {
    const mine = ++this.turn;
    this.path = path;
    this.editor = undefined;
    this.element.hidden = false;
    this.title.textContent = nameOf(path);
    this.facts.replaceChildren(`${bytes(entry.size)} · `, when(entry.modifiedAt));
    const download = h('a', { class: 'button', href: contentUrl(this.place.sandbox, path, true), download: nameOf(path) }, 'Download');
    const close = button('×', () => this.place.close());
    close.setAttribute('aria-label', 'Close the preview');
    this.tools.replaceChildren(download, close);
    try {
      const contents = await contentsOf(this.files, path, entry);
      if (mine !== this.turn) return;
      this.shownEtag = contents.etag;
      this.body.replaceChildren(...this.bodyOf(contents, path, entry, [download, close]));
    } catch (failure) {
      if (mine === this.turn) this.body.replaceChildren(h('p', { class: 'bad' }, failure instanceof Error ? failure.message : String(failure)));
    }
  }

  private bodyOf(contents: Contents, path: string, entry: FileInfo, tools: HTMLElement[]): Node[] {
    if (contents.kind === 'picture') return [h('img', { src: contents.address, alt: nameOf(path) })];
    if (contents.kind === 'binary') return [h('p', { class: 'dim' }, 'This is no text. Download it to look at it.')];
    const { text, whole, lineEnd, etag } = contents;
    const editable = this.place.changing && whole && lineEnd !== 'mixed';
    const isMarkdown = /\.(md|markdown)$/i.test(path);
    const plain = (): Node[] => [
      ...(whole ? [] : [h('p', { class: 'dim' }, `The first ${bytes(MOST_TEXT)} of ${bytes(entry.size)}. Download it to see all.`)]),
      ...(whole && lineEnd === 'mixed' ? [h('p', { class: 'dim' }, 'Its lines end in different ways, which an editor here would not keep.')] : []),
      h('pre', { class: 'file-text', tabIndex: 0, role: 'region', aria: { label: nameOf(path) } }, text),
    ];
    const rendered = (now: string): Node[] => [markdown(now, linksFrom(this.place.sandbox, parentOf(path)))];
    if (!editable) {
      this.tools.replaceChildren(...tools);
      return isMarkdown && whole ? rendered(text) : plain();
    }
    const edited = { sandbox: this.place.sandbox, path, text, etag, lineEnd };
    const editor = (this.editor = new Editor(this.files, edited, () => void this.files.stat(path).then((now) => this.open(path, now), () => this.place.close())));
    const modes = isMarkdown ? [this.modes(editor, rendered)] : [];
    this.tools.replaceChildren(...editor.actions, ...modes, ...tools);
    return isMarkdown && !editor.isChanged ? rendered(text) : [editor.element];
  }

  /** Markdown as it is read, or as it is written. */
  private modes(editor: Editor, rendered: (text: string) => Node[]): HTMLElement {
    const toggle = button(editor.isChanged ? 'Preview' : 'Edit', () => {
      const writing = toggle.textContent === 'Edit';
      toggle.textContent = writing ? 'Preview' : 'Edit';
      this.body.replaceChildren(...(writing ? [editor.element] : rendered(editor.text)));
      if (writing) editor.element.focus();
    });
    return toggle;
  }
}
