import { runs } from './cells.mjs';
import { HEIGHT, WIDTH } from './console.mjs';
import { COLUMNS, ROWS } from './shell.mjs';

const CELL = { width: 8.4, height: 19 };
const BAR = 30;
const PAD = 14;
const TERMINAL = { width: COLUMNS * CELL.width + 2 * PAD, height: ROWS * CELL.height + 2 * PAD + BAR };
const ALL = { width: TERMINAL.width + 2, height: 506 };
/** Where the console comes to lie over the terminal, and how large. */
const CONSOLE = { scale: 0.86, x: ALL.width - WIDTH * 0.86 - 14, y: 56 };
const SLIDE = 450;
const READ = 1_500;
const REACH = 800;
const PRESSED = 350;
const DONE = 1_100;
const STEPS = ['Create a sandbox', 'Work in its terminal', 'Approve what it asks'];

/** Draws a film of a terminal, and the console that comes over it when something is asked, as one SVG that moves by CSS alone. */
export function svg(film, shots) {
  const asked = film.marks.asked;
  const times = { in: asked, read: asked + SLIDE, reach: asked + SLIDE + READ };
  times.press = times.reach + REACH;
  times.done = times.press + PRESSED;
  times.out = times.done + DONE;
  // While the console is in front the terminal stands still. It goes on as the console leaves.
  const later = times.out + SLIDE / 2 - film.frames.find((frame) => frame.at > asked).at;
  const shift = (at) => (at <= asked ? at : at + later);
  const length = Math.round(shift(film.length));
  const percent = (at) => `${((100 * at) / length).toFixed(3)}%`;

  const rows = new Map();
  const frames = film.frames.map((frame, index) => drawFrame(frame, index, rows));
  const poster = film.frames.findLastIndex((frame) => frame.at <= asked);
  const moves = film.frames.map((frame, index) => `${percent(shift(frame.at))}{transform:translateY(${-index * TERMINAL.height}px)}`);
  const start = { x: WIDTH * 0.35, y: HEIGHT - 40 };
  const style = `
text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:14px;fill:#d5dbd8;white-space:pre}
.b{font-weight:600}.d{opacity:.65}
.label text,.title{font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:13px;fill:#8b969f}
.film{transform:translateY(${-poster * TERMINAL.height}px);animation:film ${length}ms step-end infinite}
@keyframes film{${moves.join('')}}
.over{animation:over ${length}ms ease-in-out infinite}
@keyframes over{0%,${percent(times.in)}{transform:translateY(40px);opacity:0}${percent(times.read)},${percent(times.out)}{transform:none;opacity:1}${percent(times.out + SLIDE)},100%{transform:translateY(40px);opacity:0}}
.shade{opacity:.45;animation:shade ${length}ms linear infinite}
@keyframes shade{0%,${percent(times.in)}{opacity:0}${percent(times.read)},${percent(times.out)}{opacity:.45}${percent(times.out + SLIDE)},100%{opacity:0}}
${shown('press', times.press, times.done, length)}
${shown('granted', times.done, length, length)}
.hand{animation:hand ${length}ms ease-in-out infinite}
@keyframes hand{0%,${percent(times.reach)}{transform:translate(${start.x}px,${start.y}px)}${percent(times.press - 100)},100%{transform:translate(${shots.press.x}px,${shots.press.y}px)}}
${STEPS.map((_, index) => step(index, film, times, length, shift)).join('\n')}
@media(prefers-reduced-motion:reduce){*{animation:none!important}}`;

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${ALL.width} ${ALL.height}" width="${ALL.width}" height="${ALL.height}" role="img">
<title>A sandbox is created on the command line, a terminal is opened in it, and a person approves in the console what a program asks.</title>
<style>${style}</style>
<defs>${[...rows.values()].join('')}<clipPath id="screen"><rect y="${BAR}" width="${TERMINAL.width}" height="${TERMINAL.height - BAR}"/></clipPath><clipPath id="page"><rect y="-9" width="${WIDTH}" height="${HEIGHT + 9}" rx="9"/></clipPath></defs>
<g transform="translate(1,1)">
${frameOf(TERMINAL.width, TERMINAL.height, 'bash', '#101418')}
<g clip-path="url(#screen)"><g class="film">${frames.join('\n')}</g></g>
<rect class="shade" width="${TERMINAL.width}" height="${TERMINAL.height}" rx="9"/>
</g>
<g class="over"><g transform="translate(${CONSOLE.x},${CONSOLE.y}) scale(${CONSOLE.scale})">
${frameOf(WIDTH, HEIGHT + BAR, 'Bivouac console', '#14171a')}
<g transform="translate(0,${BAR})" clip-path="url(#page)">
${image(shots.card)}
${image(shots.press.pressed, 'press', shots.press.box)}
${image(shots.granted, 'granted')}
<path class="hand" d="M0 0v17l4-4 3 7 3-1-3-7h6z" fill="#fff" stroke="#000" transform="translate(${shots.press.x},${shots.press.y})"/>
</g></g></g>
<g class="label">${STEPS.map((words, index) => `<g class="s${index}" transform="translate(${14 + index * 300},${ALL.height - 22})"><circle r="9" cy="-4.5" cx="9" fill="#58b48a"/><text x="9" text-anchor="middle" style="fill:#0d1512;font-weight:600;font-size:12px">${index + 1}</text><text x="26">${words}</text></g>`).join('')}</g>
</svg>
`;
}

/** A picture that is there from one time to another. */
function shown(name, from, to, length) {
  const percent = (at) => `${((100 * at) / length).toFixed(3)}%`;
  const end = to < length ? `${percent(to)}{opacity:0}` : '';
  return `.${name}{opacity:0;animation:${name} ${length}ms step-end infinite}@keyframes ${name}{0%{opacity:0}${percent(from)}{opacity:1}${end}}`;
}

/** A step's words are bright while it is shown. */
function step(index, film, times, length, shift) {
  const percent = (at) => `${((100 * at) / length).toFixed(3)}%`;
  const begins = [0, shift(film.marks.terminal), times.in];
  const ends = [begins[1], times.in, length];
  const bright = 'opacity:1';
  const faint = 'opacity:.5';
  return `.s${index}{animation:s${index} ${length}ms step-end infinite}@keyframes s${index}{0%{${index === 0 ? bright : faint}}${percent(begins[index])}{${bright}}${index < 2 ? `${percent(ends[index])}{${faint}}` : ''}}`;
}

function frameOf(width, height, title, ground) {
  const dots = ['#ff6057', '#febc2e', '#28c840'].map((colour, index) => `<circle cx="${18 + index * 18}" cy="${BAR / 2}" r="5.5" fill="${colour}"/>`);
  return `<rect width="${width}" height="${height}" rx="9" fill="${ground}" stroke="#3a434a"/><path d="M0 ${BAR}v-21a9 9 0 0 1 9-9h${width - 18}a9 9 0 0 1 9 9v21z" fill="#262c31"/>${dots.join('')}<text class="title" x="${width / 2}" y="${BAR / 2 + 4.5}" text-anchor="middle">${title}</text>`;
}

function image(data, name, { x, y, width, height } = { x: 0, y: 0, width: WIDTH, height: HEIGHT }) {
  return `<image ${name === undefined ? '' : `class="${name}" `}x="${x}" y="${y}" width="${width}" height="${height}" href="${data}"/>`;
}

function drawFrame({ rows: lines, cursor: [column, row] }, index, rows) {
  const uses = lines.map((line, number) => {
    if (line.trim() === '') return '';
    if (!rows.has(line)) rows.set(line, drawRow(line, `r${rows.size}`));
    return `<use href="#${/id="(r\d+)"/.exec(rows.get(line))[1]}" y="${BAR + PAD + number * CELL.height}"/>`;
  });
  const block = `<rect x="${(PAD + column * CELL.width).toFixed(1)}" y="${BAR + PAD + row * CELL.height + 1}" width="${CELL.width}" height="${CELL.height - 3}" fill="#58b48a" opacity=".8"/>`;
  return `<g transform="translate(0,${index * TERMINAL.height})">${uses.join('')}${block}</g>`;
}

/** The width of each run is given, so that columns stand below each other whichever font is there. */
function drawRow(line, id) {
  const texts = runs(line).map(({ column, text, colour, bold, dim }) => {
    const names = [bold && 'b', dim && 'd'].filter(Boolean).join(' ');
    const looks = `${names === '' ? '' : ` class="${names}"`}${colour === undefined ? '' : ` style="fill:${colour}"`}`;
    return `<text x="${(PAD + column * CELL.width).toFixed(1)}" y="14" textLength="${(text.length * CELL.width).toFixed(1)}" lengthAdjust="spacingAndGlyphs"${looks}>${escaped(text)}</text>`;
  });
  return `<g id="${id}">${texts.join('')}</g>`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
