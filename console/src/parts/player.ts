import type { Recording, RecordingHeader } from '@bivouac/sdk';
import { Terminal as Screen } from '@xterm/xterm';
import { h } from '../dom.js';
import { screenText } from './screen-text.js';
import { Timeline } from './timeline.js';
import { clock } from './words.js';

const LONGEST_PAUSE = 2;
const STEP = 0.01;
const SPEEDS = [0.5, 1, 2, 4, 8];
const SMALLEST_FONT = 6;
const LARGEST_FONT = 15;

/** How wide a character of the monospaced font is, against its height. */
const CHARACTER = 0.61;
const LINE = 1.2;

/** The controls are to be seen, too. */
const PART_OF_THE_HEIGHT = 0.6;

/** Shows a recording, with what a player is expected to have. */
export class Player {
  readonly element: HTMLElement;
  private readonly stage = h('div', { class: 'player-screen' });
  private readonly play = h('button', { type: 'button', class: 'primary', onclick: () => this.toggle() }, 'Play');
  private readonly seek = h('input', { type: 'range', min: '0', step: String(STEP), value: '0', class: 'grow', aria: { label: 'Position' } });
  private readonly time = h('span', { class: 'dim mono', role: 'timer' });
  private readonly speed = h('select', { aria: { label: 'Speed' } }, ...SPEEDS.map((one) => h('option', { value: String(one), selected: one === 1 }, `${one} ×`)));
  private screen: Screen | undefined;
  private playing = false;
  private position = 0;
  private shown = 0;
  private frame = 0;
  private last = 0;

  private constructor(
    private readonly header: RecordingHeader,
    private readonly line: Timeline,
  ) {
    // In whole steps: the very end must be within reach.
    this.seek.max = String(Math.ceil(line.length / STEP) * STEP);
    this.seek.addEventListener('input', () => this.goTo(Number(this.seek.value)));
    this.element = h('div', { class: 'player' }, this.stage, h('div', { class: 'row' }, this.play, this.seek, this.time, this.speed));
    Object.assign(this.stage, { screenText: () => (this.screen === undefined ? '' : screenText(this.screen)) });
  }

  static async of(recording: Recording): Promise<Player> {
    return new Player(recording.header, await Timeline.of(recording, LONGEST_PAUSE));
  }

  /** Begins; the element must be in the page, since the characters' size depends on its room. */
  begin(): void {
    this.goTo(0);
    this.toggle();
  }

  private toggle(): void {
    this.playing = !this.playing;
    this.play.textContent = this.playing ? 'Pause' : 'Play';
    if (!this.playing) {
      cancelAnimationFrame(this.frame);
      return;
    }
    if (this.position >= this.line.length) this.goTo(0);
    this.last = performance.now();
    this.frame = requestAnimationFrame((now) => this.advance(now));
  }

  private advance(now: number): void {
    const gone = (Math.max(0, now - this.last) / 1000) * Number(this.speed.value);
    this.last = now;
    this.position = Math.min(this.line.length, this.position + gone);
    this.show();
    if (this.position >= this.line.length) this.toggle();
    else this.frame = requestAnimationFrame((next) => this.advance(next));
  }

  /** A screen is what was written up to then: going back means beginning again. */
  private goTo(position: number): void {
    this.position = position;
    if (this.screen === undefined || this.line.until(position) < this.shown) this.clear();
    this.show();
  }

  private clear(): void {
    this.screen?.dispose();
    const { cols, rows } = this.header;
    const room = Math.min(this.stage.clientWidth / cols / CHARACTER, (innerHeight * PART_OF_THE_HEIGHT) / rows / LINE);
    this.screen = new Screen({
      cols,
      rows,
      disableStdin: true,
      cursorInactiveStyle: 'outline',
      fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
      fontSize: Math.max(SMALLEST_FONT, Math.min(LARGEST_FONT, Math.floor(room))),
      scrollback: 0,
    });
    this.screen.open(this.stage);
    this.shown = 0;
  }

  private show(): void {
    const until = this.line.until(this.position);
    for (; this.shown < until; this.shown++) {
      const event = this.line.moments[this.shown]?.event;
      if (event?.type === 'output') this.screen?.write(event.text);
      if (event?.type === 'resize') this.screen?.resize(event.cols, event.rows);
    }
    this.seek.value = String(this.position);
    this.time.textContent = `${clock(this.position)} / ${clock(this.line.length)}`;
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.screen?.dispose();
  }
}
