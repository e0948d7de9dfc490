import { h } from '../dom.js';

const KEPT = 60;
const WIDTH = 240;
const HEIGHT = 48;
const SVG = 'http://www.w3.org/2000/svg';

/** The last minute or two of one figure, against its limit. */
export class Chart {
  readonly element: HTMLElement;
  private readonly values: number[] = [];
  private readonly line = document.createElementNS(SVG, 'polyline');
  private readonly area = document.createElementNS(SVG, 'polygon');
  private readonly figure = h('strong');

  constructor(
    title: string,
    private readonly words: (value: number) => string,
  ) {
    const picture = document.createElementNS(SVG, 'svg');
    picture.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    picture.setAttribute('preserveAspectRatio', 'none');
    picture.setAttribute('aria-hidden', 'true');
    picture.append(this.area, this.line);
    this.element = h('div', { class: 'chart' }, h('div', { class: 'row' }, h('span', {}, title), this.figure));
    this.element.append(picture);
  }

  add(value: number, limit: number): void {
    this.values.push(value);
    if (this.values.length > KEPT) this.values.shift();
    const most = Math.max(limit, ...this.values, Number.MIN_VALUE);
    const step = WIDTH / (KEPT - 1);
    const first = KEPT - this.values.length;
    const points = this.values.map((one, i) => `${((first + i) * step).toFixed(1)},${(HEIGHT - 1 - (one / most) * (HEIGHT - 2)).toFixed(1)}`);
    this.line.setAttribute('points', points.join(' '));
    this.area.setAttribute('points', `${(first * step).toFixed(1)},${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`);
    this.figure.textContent = `${this.words(value)} of ${this.words(limit)}`;
  }
}
