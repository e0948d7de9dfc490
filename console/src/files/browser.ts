import { WorkspaceError, type FileInfo, type FileService } from '@bivouac/sdk';
import { button, h } from '../dom.js';
import { askText } from '../parts/ask.js';
import { attempt, confirm } from '../parts/feedback.js';
import { repeat, type OnLeave } from '../parts/repeat.js';
import { Table } from '../parts/table.js';
import { when } from '../parts/when.js';
import { bytes } from '../parts/words.js';
import { client } from '../session.js';
import { droppedFiles, type Dropped } from './dropped.js';
import { icon } from './icons.js';
import { addressOf, archiveUrl, contentUrl, HOME, join, nameOf, parentOf } from './paths.js';
import { Preview } from './preview.js';
import { Uploads } from './uploads.js';

const EVERY = 3_000;

/** Of a larger folder the rest is for programs. */
const MOST_SHOWN = 1_000;
const FILE_NOT_FOUND = 3001;
const NOT_A_FOLDER = 3003;

/** A sandbox's folders, one at a time, and one file of them. */
export class FileBrowser {
  readonly element: HTMLElement;
  private readonly files: FileService;
  private readonly crumbs = h('nav', { class: 'crumbs', aria: { label: 'Folder' } });
  private readonly archive = h('a', { class: 'button' }, 'Download folder');
  private readonly note = h('p', { class: 'dim' });
  private readonly table: Table<FileInfo>;
  private readonly preview: Preview;
  private readonly uploads: Uploads;
  private folder = HOME;

  constructor(
    private readonly sandbox: string,
    private readonly changing: boolean,
  ) {
    this.files = client.sandbox.reference(sandbox).files;
    this.table = new Table<FileInfo>(
      [
        { title: 'Name', cell: (row) => this.nameCell(row) },
        { title: 'Size', cell: (row) => (row.type === 'file' ? bytes(row.size) : '') },
        { title: 'Modified', cell: (row) => when(row.modifiedAt), wide: true },
        { title: 'Mode', cell: (row) => h('code', { title: `${row.user}:${row.group}` }, row.mode), wide: true },
        { title: '', cell: (row) => this.actionsOf(row) },
      ],
      'This folder is empty.',
    );
    this.preview = new Preview(this.files, { sandbox, changing, close: () => this.showFolder(this.folder) });
    this.uploads = new Uploads(sandbox, () => void this.read());
    const tools = changing ? this.tools() : [];
    this.element = h('div', { class: 'files' }, h('div', { class: 'row' }, this.crumbs, h('span', { class: 'grow' }), ...tools, this.archive), this.uploads.element, h('div', { class: 'panes' }, h('div', { class: 'pane' }, this.table.element, this.note), this.preview.element));
    if (changing) this.takeDrops();
  }

  /** Shows a folder, or a file in its folder; and keeps up with what happens there. */
  begin(path: string, onLeave: OnLeave): void {
    void this.openNearest(path).then(() => repeat(EVERY, onLeave, () => this.read()));
  }

  /** What is gone is told, and the folder above it shown. */
  private async openNearest(path: string): Promise<void> {
    try {
      await this.open(path);
    } catch (failure) {
      void attempt(() => Promise.reject(failure));
      if (failure instanceof WorkspaceError && failure.code === FILE_NOT_FOUND && path !== '/') await this.openNearest(parentOf(path));
    }
  }

  private async open(path: string): Promise<void> {
    const entry = path === '/' ? undefined : await this.files.stat(path);
    if (entry === undefined || entry.type === 'folder') {
      await this.show(path);
      return;
    }
    if (entry.type === 'link') {
      try {
        await this.show(path);
        return;
      } catch (failure) {
        if (!(failure instanceof WorkspaceError) || failure.code !== NOT_A_FOLDER) throw failure;
      }
    }
    await this.show(parentOf(path));
    await this.preview.open(path, entry);
  }

  private async show(folder: string): Promise<void> {
    const before = this.folder;
    this.folder = folder;
    try {
      await this.read();
    } catch (failure) {
      this.folder = before;
      throw failure;
    }
    this.crumbs.replaceChildren(...this.crumbsOf(folder));
    this.archive.href = archiveUrl(this.sandbox, folder, 'zip');
    this.archive.download = `${nameOf(folder) || 'root'}.zip`;
  }

  private async read(): Promise<void> {
    const { folder } = this;
    const page = await this.files.list(folder, { limit: MOST_SHOWN });
    if (folder !== this.folder) return;
    const rank = ({ type }: FileInfo): number => (type === 'folder' ? 0 : 1);
    const rows = [...page.items].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    this.table.show(rows, (row) => join(folder, row.name));
    this.note.textContent = page.nextCursor === null ? '' : `Only the first ${MOST_SHOWN} entries are shown.`;
    const shown = rows.find((row) => join(folder, row.name) === this.preview.shown);
    if (shown !== undefined) this.preview.seen(shown);
  }

  /** Within the page; the address follows, so that a reload and the browser's buttons work. */
  private go(path: string, act: () => Promise<unknown>): void {
    const address = `#${addressOf(this.sandbox, path)}`;
    if (location.hash !== address) history.pushState(null, '', address);
    void attempt(act);
  }

  private showFolder(path: string): void {
    this.preview.close();
    this.go(path, () => this.show(path));
  }

  private nameCell(row: FileInfo): HTMLElement {
    const path = join(this.folder, row.name);
    const name = h('a', { href: `#${addressOf(this.sandbox, path)}`, class: 'file-name' }, row.name);
    name.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (row.type === 'folder') this.showFolder(path);
      else if (row.type === 'link') this.go(path, () => this.open(path));
      else this.go(path, () => this.preview.open(path, row));
    };
    return h('div', { class: 'file' }, icon(row.type) as unknown as HTMLElement, name, row.target === undefined ? undefined : h('span', { class: 'dim mono' }, `→ ${row.target}`));
  }

  private actionsOf(row: FileInfo): HTMLElement {
    const path = join(this.folder, row.name);
    const isFolder = row.type === 'folder';
    const download = h('a', { class: 'button quiet', href: isFolder ? archiveUrl(this.sandbox, path, 'zip') : contentUrl(this.sandbox, path, true), download: isFolder ? `${row.name}.zip` : row.name, aria: { label: `Download ${row.name}` } }, 'Download');
    const does = (text: string, act: () => Promise<unknown>): HTMLButtonElement => {
      const made = button(text, act, 'quiet');
      made.setAttribute('aria-label', `${text} ${row.name}`);
      return made;
    };
    return h('div', { class: 'row end tight' }, (isFolder || row.type === 'file') && download, this.changing && does('Rename', () => this.rename(path)), this.changing && does('Delete', () => this.remove(path, isFolder)));
  }

  private async rename(path: string): Promise<void> {
    const to = await askText(`Rename ${nameOf(path)}`, 'New name, or a path to move it to', 'Rename', nameOf(path));
    if (to === undefined || to === nameOf(path)) return;
    const target = to.startsWith('/') ? to : join(parentOf(path), to);
    await attempt(() => this.files.move(path, target), `${nameOf(path)} is now ${to}.`);
    if (this.preview.shown === path) this.showFolder(this.folder);
    await attempt(() => this.read());
  }

  private async remove(path: string, isFolder: boolean): Promise<void> {
    if (!(await confirm(isFolder ? `Delete the folder ${nameOf(path)} and all that is in it?` : `Delete ${nameOf(path)}?`, 'Delete'))) return;
    await attempt(() => this.files.remove(path, { recursive: isFolder }), `Deleted ${nameOf(path)}.`);
    if (this.preview.shown === path) this.showFolder(this.folder);
    await attempt(() => this.read());
  }

  private tools(): HTMLElement[] {
    const chosen = h('input', { type: 'file', multiple: true, hidden: true, aria: { label: 'Files to upload' } });
    chosen.addEventListener('change', () => {
      this.upload([...(chosen.files ?? [])].map((file) => ({ file, path: file.name })));
      chosen.value = '';
    });
    return [button('New file', () => this.make('file')), button('New folder', () => this.make('folder')), chosen, button('Upload', () => chosen.click(), 'primary')];
  }

  private async make(what: 'file' | 'folder'): Promise<void> {
    const name = await askText(`New ${what}`, 'Name', 'Create');
    if (name === undefined) return;
    const path = join(this.folder, name);
    await attempt(async () => {
      if (what === 'folder') await this.files.makeDir(path);
      else await this.files.write(path, '', { onlyNew: true, parents: true });
      await this.read();
      if (what === 'file') this.go(path, () => this.open(path));
    });
  }

  private upload(files: readonly Dropped[]): void {
    this.uploads.add(files, this.folder);
  }

  private takeDrops(): void {
    const { element } = this;
    element.addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      element.classList.add('dropping');
    });
    element.addEventListener('dragleave', (event) => {
      if (!element.contains(event.relatedTarget as Node | null)) element.classList.remove('dropping');
    });
    element.addEventListener('drop', (event) => {
      event.preventDefault();
      element.classList.remove('dropping');
      const { dataTransfer } = event;
      if (dataTransfer !== null) void attempt(async () => this.upload(await droppedFiles(dataTransfer)));
    });
  }

  private crumbsOf(folder: string): HTMLElement[] {
    const parts = folder.split('/').filter((part) => part !== '');
    const crumb = (name: string, path: string): HTMLElement => {
      const made = h('a', { href: `#${addressOf(this.sandbox, path)}` }, name);
      if (path === folder) made.setAttribute('aria-current', 'location');
      made.onclick = (event) => {
        event.preventDefault();
        this.showFolder(path);
      };
      return made;
    };
    return [crumb('/', '/'), ...parts.map((part, index) => crumb(part, `/${parts.slice(0, index + 1).join('/')}`))];
  }
}
