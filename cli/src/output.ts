const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36, bold: 1 } as const;
export type Colour = keyof typeof COLOURS;

/** What other programs printed may hold anything; a terminal must not obey it. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** How values are printed: for people, for programs, as ids alone, or with every column however wide. */
export type Format = 'people' | 'json' | 'name' | 'wide';

/** Prints for people or, with --json, for programs. */
export class Output {
  private readonly coloured: boolean;
  private progressShown = false;

  readonly json: boolean;

  constructor(
    private readonly format: Format,
    private readonly out: NodeJS.WriteStream = process.stdout,
    private readonly err: NodeJS.WriteStream = process.stderr,
  ) {
    this.json = format === 'json';
    this.coloured = out.isTTY && process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb';
  }

  colour(text: string, colour: Colour): string {
    return this.coloured ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
  }

  line(text = ''): void {
    this.clearProgress();
    this.out.write(`${text}\n`);
  }

  /** One value: as JSON, by its id alone, or as `people` makes it. */
  value(value: unknown, people: () => void): void {
    if (this.json) this.line(JSON.stringify(value, undefined, this.out.isTTY ? 2 : undefined));
    else if (this.format === 'name') namesOf(value).forEach((name) => this.line(name));
    else people();
  }

  /**
   * Columns wide enough for what they hold. On a terminal that is too narrow, those that may be dropped go, the first
   * named first; what is still too long is cut at its end.
   *
   * @param shown `empty` is said instead of an empty table
   */
  table(head: string[], rows: string[][], shown: { empty?: string; drop?: string[] } = {}): void {
    if (rows.length === 0 && shown.empty !== undefined) {
      this.line(shown.empty);
      return;
    }
    const room = this.format !== 'wide' && this.out.isTTY && this.out.columns > 0 ? this.out.columns : Infinity;
    const [left, kept] = fitting(head, rows.map((row) => row.map(plain)), shown.drop ?? [], room);
    const cut = (line: string): string => (line.length > room ? `${line.slice(0, room - 1)}…` : line);
    this.print(left, kept, cut);
  }

  private print(head: string[], clean: string[][], cut: (line: string) => string): void {
    const widths = head.map((title, i) => Math.max(title.length, ...clean.map((row) => row[i]?.length ?? 0)));
    const format = (row: string[]): string => cut(row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ').trimEnd());
    this.line(this.colour(format(head), 'dim'));
    for (const row of clean) this.line(format(row).replace(/\b(running|intact)\b/, (word) => this.colour(word, 'green')));
  }

  /** Says on stderr what is being waited for, where a person sees it. */
  progress(text: string): void {
    if (this.json || !this.err.isTTY) return;
    this.err.write(`\r\u001b[K${text}`);
    this.progressShown = true;
  }

  clearProgress(): void {
    if (this.progressShown) this.err.write('\r\u001b[K');
    this.progressShown = false;
  }

  /** Says on stderr what was done, where a person sees it; programs have the exit code. */
  done(text: string): void {
    if (!this.json && this.err.isTTY) this.note(text);
  }

  note(text: string): void {
    this.clearProgress();
    this.err.write(`${text}\n`);
  }
}

/** The ids of one value or of many; what has none goes by its name. */
function namesOf(value: unknown): string[] {
  return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) => {
    const { id, name } = one as { id?: unknown; name?: unknown };
    const found = id ?? name;
    return typeof found === 'string' ? [found] : [];
  });
}

export function plain(text: string): string {
  return text.replace(CONTROL, '');
}

/** `in 12 min`, `3 h ago`. */
export function relative(time: string, now = Date.now()): string {
  const difference = (Date.parse(time) - now) / 1000;
  const size = Math.abs(difference);
  const words = size < 90 ? `${Math.round(size)} s` : size < 5400 ? `${Math.round(size / 60)} min` : `${Math.round(size / 3600)} h`;
  return difference < 0 ? `${words} ago` : `in ${words}`;
}

export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Without as many columns as must go for a line to fit. */
function fitting(head: string[], rows: string[][], drop: string[], room: number): [string[], string[][]] {
  const width = head.reduce((sum, title, i) => sum + 2 + Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)), -2);
  const [first, ...others] = drop;
  if (width <= room || first === undefined) return [head, rows];
  const place = head.indexOf(first);
  const without = (row: string[]): string[] => row.filter((_, i) => i !== place);
  return fitting(without(head), rows.map(without), others, room);
}
