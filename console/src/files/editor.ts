import { WorkspaceError, type FileInfo, type FileService } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import { askWhich } from '../parts/ask.js';
import { attempt, toast } from '../parts/feedback.js';
import type { LineEnd } from './contents.js';
import { nameOf } from './paths.js';

const CHANGED_MEANWHILE = 3008;
const GONE = 3001;

/** What was typed and not saved, by sandbox and path: leaving the page does not lose it. */
interface Draft {
  text: string;
  etag: string;
}
const drafts = new Map<string, Draft>();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export interface Edited {
  sandbox: string;
  path: string;
  text: string;
  etag: string;
  lineEnd: LineEnd;
}

/** A text that is changed and saved, unless somebody else has changed it since. */
export class Editor {
  readonly element: HTMLElement;
  readonly actions: HTMLElement[];
  private readonly field: HTMLTextAreaElement;
  private readonly note = h('span', { class: 'dim', role: 'status' });
  private readonly save = button('Save', () => this.store(), 'primary');
  private readonly discard = button('Discard', () => this.reload());
  private readonly key: string;
  private saved: string;

  constructor(
    private readonly files: FileService,
    private readonly edited: Edited,
    private readonly reload: () => void,
  ) {
    this.key = `${edited.sandbox} ${edited.path}`;
    this.saved = edited.text;
    const draft = drafts.get(this.key);
    if (draft !== undefined) edited.etag = draft.etag;
    this.field = h('textarea', { class: 'editor mono', value: draft?.text ?? edited.text, spellcheck: false, aria: { label: nameOf(edited.path) } });
    this.field.setAttribute('autocapitalize', 'off');
    this.field.addEventListener('input', () => this.typed());
    this.field.addEventListener('keydown', (event) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!this.save.disabled) void this.store();
    });
    this.element = this.field;
    this.actions = [this.note, this.discard, this.save];
    this.typed();
    if (draft !== undefined) this.note.textContent = 'Unsaved changes from before';
  }

  get text(): string {
    return this.field.value;
  }

  get isChanged(): boolean {
    return this.field.value !== this.saved;
  }

  /** The folder shows the file in this version. */
  seen(etag: string): void {
    if (etag === this.edited.etag || this.save.textContent !== 'Save') return;
    if (this.isChanged) this.note.textContent = 'Changed in the sandbox meanwhile';
    else this.reload();
  }

  /** Forgets what was typed. */
  forget(): void {
    drafts.delete(this.key);
  }

  private typed(): void {
    const { isChanged } = this;
    if (isChanged) drafts.set(this.key, { text: this.field.value, etag: this.edited.etag });
    else drafts.delete(this.key);
    this.save.disabled = !isChanged;
    this.discard.hidden = !isChanged;
    this.note.textContent = isChanged ? 'Unsaved' : '';
    this.discard.onclick = () => {
      this.forget();
      this.reload();
    };
  }

  private async store(condition: { ifMatch?: string } = { ifMatch: this.edited.etag }): Promise<void> {
    const text = this.field.value;
    this.save.disabled = true;
    this.save.textContent = 'Saving…';
    try {
      const written = await this.files.write(this.edited.path, this.edited.lineEnd === '\r\n' ? text.replaceAll('\n', '\r\n') : text, condition);
      this.took(text, written);
    } catch (failure) {
      const code = failure instanceof WorkspaceError ? failure.code : undefined;
      if (condition.ifMatch !== undefined && (code === CHANGED_MEANWHILE || code === GONE)) void this.conflict();
      else void attempt(() => Promise.reject(failure));
    } finally {
      this.save.textContent = 'Save';
      this.save.disabled = !this.isChanged;
    }
  }

  private took(text: string, written: FileInfo): void {
    this.saved = text;
    this.edited.etag = written.etag;
    this.typed();
    toast(`Saved ${nameOf(this.edited.path)}.`);
  }

  private async conflict(): Promise<void> {
    const question = `${nameOf(this.edited.path)} was changed or removed in the sandbox after you opened it.`;
    const choice = await askWhich(question, [['theirs', 'Discard mine, load theirs'], ['mine', 'Overwrite with mine', 'danger']] as const, 'Keep editing');
    if (choice === 'mine') await this.store({});
    if (choice !== 'theirs') return;
    this.forget();
    this.reload();
  }
}
