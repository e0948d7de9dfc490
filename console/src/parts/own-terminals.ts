/** A terminal that this browser tab has opened, so that a reload finds it again. */
export interface OwnTerminal {
  id: string;
  record: boolean;
  /** Nobody can come back to it: its key was in the page. */
  sealed: boolean;
}

/** The terminals that this browser tab has open in one sandbox. They outlive a reload, but not the browser tab. */
export class OwnTerminals {
  private readonly place: string;

  constructor(
    sandboxId: string,
    private readonly storage: Storage = sessionStorage,
  ) {
    this.place = `bivouac-terminals-${sandboxId}`;
  }

  all(): OwnTerminal[] {
    try {
      return JSON.parse(this.storage.getItem(this.place) ?? '[]') as OwnTerminal[];
    } catch {
      // Somebody else's, under our name.
      return [];
    }
  }

  add(terminal: OwnTerminal): void {
    this.keep([...this.all().filter(({ id }) => id !== terminal.id), terminal]);
  }

  remove(terminalId: string): void {
    this.keep(this.all().filter(({ id }) => id !== terminalId));
  }

  private keep(terminals: OwnTerminal[]): void {
    if (terminals.length === 0) this.storage.removeItem(this.place);
    else this.storage.setItem(this.place, JSON.stringify(terminals));
  }
}
