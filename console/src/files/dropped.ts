/** A file to be uploaded, and its path below the folder where it goes. */
export interface Dropped {
  file: File;
  path: string;
}

/** More at once are somebody's mistake, or work for an archive. */
export const MOST_FILES = 5_000;

/** Everything that was dropped, folders with what is in them. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped[]> {
  // The transfer is empty as soon as this event is over: its entries are taken first.
  const taken = [...transfer.items].filter((item) => item.kind === 'file').map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: Dropped[] = [];
  for (const { entry, file } of taken) {
    if (entry?.isDirectory === true) await walk(entry as FileSystemDirectoryEntry, entry.name, found);
    else if (file !== null) found.push({ file, path: file.name });
  }
  return found;
}

async function walk(folder: FileSystemDirectoryEntry, path: string, found: Dropped[]): Promise<void> {
  const reader = folder.createReader();
  const some = (): Promise<FileSystemEntry[]> => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  for (let entries = await some(); entries.length > 0; entries = await some()) {
    for (const entry of entries) {
      if (found.length > MOST_FILES) throw new Error(`At most ${MOST_FILES} files can be dropped at once; use an archive and bivouac cp for more.`);
      if (entry.isDirectory) await walk(entry as FileSystemDirectoryEntry, `${path}/${entry.name}`, found);
      else found.push({ file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)), path: `${path}/${entry.name}` });
    }
  }
}
