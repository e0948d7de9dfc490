import { h } from '../dom.js';

const HEIGHT = 84;

/** In seconds. */
const WITH_SECONDS = 600;

/** A line of a chart: its name, and its colour as a token. */
export interface Line {
  name: string;
  colour: '--accent' | '--info' | '--warn' | '--bad';
}

type Figures = [number[], ...Array<Array<number | null>>];

/** Figures over time with their axis; the value under the mouse is told above. Its library is fetched when one is shown. */
export class Chart {
  readonly element: HTMLElement;
  private readonly figure = h('strong');
  private readonly place = h('div');
  private plot: { setData(data: Figures): void; setSize(size: { width: number; height: number }): void; destroy(): void } | undefined;
  private wanted: Figures | undefined;
  private loading = false;
  private closed = false;
  private readonly observer = new ResizeObserver(() => this.plot?.setSize({ width: this.place.clientWidth, height: HEIGHT }));

  constructor(
    private readonly title: string,
    private readonly words: (value: number) => string,
    private readonly lines: readonly Line[] = [{ name: title, colour: '--accent' }],
  ) {
    this.element = h('div', { class: 'chart' }, h('div', { class: 'chart-head' }, h('span', {}, title), this.figure), this.place);
  }

  /** Times in seconds, then the figures of each line. */
  show(figures: Figures, figure: string): void {
    this.figure.textContent = figure;
    this.wanted = figures;
    if (this.plot !== undefined) this.plot.setData(figures);
    else if (!this.loading) void this.load();
  }

  private async load(): Promise<void> {
    this.loading = true;
    const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
    if (this.closed || this.wanted === undefined) return;
    const style = getComputedStyle(this.element);
    const colour = (token: string): string => resolved(this.element, style.getPropertyValue(token));
    const axis = { stroke: colour('--dim'), grid: { stroke: colour('--edge'), width: 1 }, ticks: { show: false }, font: '11px system-ui' };
    this.plot = new Plot(
      {
        width: this.place.clientWidth,
        height: HEIGHT,
        padding: [6, 22, 0, 0],
        cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
        legend: { show: false },
        scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.15 : 1] } },
        axes: [
          { ...axis, size: 20, space: 80, values: (_, splits) => clocks(splits) },
          { ...axis, size: 62, space: 26, values: (_, splits) => splits.map(this.words) },
        ],
        series: [{}, ...this.lines.map(({ name, colour: token }) => ({ label: name, stroke: colour(token), width: 1.5, fill: `color-mix(in srgb, ${colour(token)} 14%, transparent)`, points: { show: false } }))],
        hooks: { setCursor: [(plot) => this.tell(plot.cursor.idx)] },
      },
      this.wanted,
      this.place,
    );
    this.observer.observe(this.place);
  }

  private tell(at: number | null | undefined): void {
    if (at === null || at === undefined || this.wanted === undefined) {
      this.place.title = '';
      return;
    }
    const values = this.lines.map(({ name }, index) => `${name} ${this.words(this.wanted?.[index + 1]?.[at] ?? 0)}`);
    this.place.title = `${new Date((this.wanted[0][at] ?? 0) * 1000).toLocaleTimeString()}: ${values.join(', ')}`;
  }

  close(): void {
    this.closed = true;
    this.observer.disconnect();
    this.plot?.destroy();
  }
}

/** Times of an axis; with seconds where it spans little. */
function clocks(splits: readonly number[]): string[] {
  const spanned = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const parts: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', ...(spanned < WITH_SECONDS ? { second: '2-digit' } : {}), hour12: false };
  return splits.map((at) => new Date(at * 1000).toLocaleTimeString(undefined, parts));
}

/** A canvas knows no `light-dark()`: the colour as it is now. */
function resolved(element: HTMLElement, colour: string): string {
  const probe = h('span');
  probe.style.color = colour;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
