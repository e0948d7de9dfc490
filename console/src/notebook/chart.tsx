/** A chart's own data, as the interpreter tells it. What is not known of it is not drawn: the picture is there as well. */
interface ChartData {
  type: string;
  title?: string | null;
  xLabel?: string | null;
  yLabel?: string | null;
  horizontal?: boolean;
  elements: ReadonlyArray<Record<string, unknown>>;
}

const WIDTH = 560;
const HEIGHT = 300;
const LEFT = 56;
const BOTTOM = 44;
const TOP = 28;
const RIGHT = 14;
const TICKS = 5;
const COLOURS = ['var(--accent)', 'var(--info)', 'var(--warn)', 'var(--bad)', 'var(--dim)'];

const DRAWN = new Set(['line', 'scatter', 'bar', 'pie', 'box', 'several']);

export function isChart(value: unknown): value is ChartData {
  return typeof value === 'object' && value !== null && DRAWN.has((value as ChartData).type) && Array.isArray((value as ChartData).elements);
}

/** Draws the data of a chart with the page's own colours. */
export function ChartView({ chart }: { chart: ChartData }) {
  if (chart.type === 'several') return <div class="several">{chart.elements.map((one, index) => isChart(one) && <ChartView key={index} chart={one} />)}</div>;
  return (
    <figure class="drawn-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={chart.title ?? `${chart.type} chart`}>
        {chart.title != null && <text class="chart-title" x={WIDTH / 2} y={17}>{chart.title}</text>}
        {chart.type === 'pie' ? <Pie chart={chart} /> : chart.type === 'bar' ? <Bars chart={chart} /> : chart.type === 'box' ? <Boxes chart={chart} /> : <Points chart={chart} />}
        {chart.xLabel != null && <text class="chart-label" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6}>{chart.xLabel}</text>}
        {chart.yLabel != null && <text class="chart-label" transform={`translate(12 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)`}>{chart.yLabel}</text>}
      </svg>
      <Legend chart={chart} />
    </figure>
  );
}

function Legend({ chart }: { chart: ChartData }) {
  const labels = chart.type === 'bar' ? [...new Set(chart.elements.map(({ group }) => group))] : chart.elements.map(({ label }) => label);
  if (chart.type === 'box' || labels.length < 2 || labels.every((label) => label == null)) return undefined;
  return (
    <figcaption class="chips">
      {labels.map((label, index) => (
        <span key={index} class="key">
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <circle cx="5" cy="5" r="4" fill={colourOf(index)} />
          </svg>
          {textOf(label)}
        </span>
      ))}
    </figcaption>
  );
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? 'currentColor';
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A number, a date, or its place among the others. */
function numberOf(value: unknown, index: number): number {
  if (typeof value === 'number') return value;
  const date = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? index : date;
}

interface Scale {
  (value: number): number;
  ticks: number[];
}

function scale(values: readonly number[], from: number, to: number, withZero: boolean): Scale {
  const known = values.filter((value) => Number.isFinite(value));
  let low = Math.min(...known, ...(withZero || known.length === 0 ? [0] : []));
  let high = Math.max(...known, ...(withZero || known.length === 0 ? [0] : []));
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const raw = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((one) => one * power >= raw) ?? 10) * power;
  const bottom = Math.floor(low / step) * step;
  const top = Math.ceil(high / step) * step;
  const ticks = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) => bottom + index * step);
  return Object.assign((value: number): number => from + ((value - bottom) / (top - bottom)) * (to - from), { ticks });
}

function shown(value: number): string {
  return Math.abs(value) >= 1e11 ? new Date(value).toLocaleDateString() : String(Number(value.toPrecision(6)));
}

function Axes({ x, y, names }: { x?: Scale; y: Scale; names?: Array<[number, string]> }) {
  return (
    <g class="axes">
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text class="y-tick" x={LEFT - 6} y={y(tick) + 3.5}>{shown(tick)}</text>
        </g>
      ))}
      {x?.ticks.map((tick) => <text key={tick} x={x(tick)} y={HEIGHT - BOTTOM + 16}>{shown(tick)}</text>)}
      {names?.map(([at, name]) => <text key={at} x={at} y={HEIGHT - BOTTOM + 16}>{name.length > 12 ? `${name.slice(0, 11)}…` : name}</text>)}
    </g>
  );
}

function Points({ chart }: { chart: ChartData }) {
  const series = chart.elements.map(({ points }) => (Array.isArray(points) ? (points as unknown[][]) : []).map(([px, py], index): [number, number] => [numberOf(px, index), numberOf(py, index)]));
  const all = series.flat();
  const x = scale(all.map(([px]) => px), LEFT, WIDTH - RIGHT, false);
  const y = scale(all.map(([, py]) => py), HEIGHT - BOTTOM, TOP, false);
  return (
    <>
      <Axes x={x} y={y} />
      {series.map((points, index) =>
        chart.type === 'line' ? (
          <polyline key={index} points={points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ')} fill="none" stroke={colourOf(index)} stroke-width="2" stroke-linejoin="round" />
        ) : (
          points.map(([px, py], at) => <circle key={`${index} ${at}`} cx={x(px)} cy={y(py)} r="3.5" fill={colourOf(index)} fill-opacity=".7"><title>{`${shown(px)}, ${shown(py)}`}</title></circle>)
        ),
      )}
    </>
  );
}

function Bars({ chart }: { chart: ChartData }) {
  const groups = [...new Set(chart.elements.map(({ group }) => group))];
  const labels = [...new Set(chart.elements.map(({ label }) => textOf(label)))];
  const y = scale(chart.elements.map(({ value }) => numberOf(value, 0)), HEIGHT - BOTTOM, TOP, true);
  const slot = (WIDTH - LEFT - RIGHT) / Math.max(1, labels.length);
  const width = Math.min(60, (slot * 0.75) / groups.length);
  const middle = (label: string): number => LEFT + slot * (labels.indexOf(label) + 0.5);
  return (
    <>
      <Axes y={y} names={labels.map((label) => [middle(label), label])} />
      {chart.elements.map(({ label, group, value }, index) => {
        const at = groups.indexOf(group);
        const height = y(0) - y(numberOf(value, 0));
        return (
          <rect key={index} x={middle(textOf(label)) + (at - groups.length / 2) * width + 1} width={width - 2} y={height < 0 ? y(0) : y(0) - height} height={Math.abs(height)} fill={colourOf(at)} rx="2">
            <title>{`${textOf(label)}: ${textOf(value)}`}</title>
          </rect>
        );
      })}
    </>
  );
}

function Boxes({ chart }: { chart: ChartData }) {
  const figure = (box: Record<string, unknown>, name: string): number => numberOf(box[name], 0);
  const outliers = (box: Record<string, unknown>): number[] => (Array.isArray(box.outliers) ? (box.outliers as unknown[]).map(numberOf) : []);
  const y = scale(chart.elements.flatMap((box) => [figure(box, 'min'), figure(box, 'max'), ...outliers(box)]), HEIGHT - BOTTOM, TOP, false);
  const slot = (WIDTH - LEFT - RIGHT) / Math.max(1, chart.elements.length);
  const width = Math.min(70, slot * 0.5);
  const middle = (index: number): number => LEFT + slot * (index + 0.5);
  return (
    <>
      <Axes y={y} names={chart.elements.map(({ label }, index) => [middle(index), textOf(label)])} />
      {chart.elements.map((box, index) => {
        const at = middle(index);
        return (
          <g key={index} stroke="var(--accent)" fill="var(--accent-soft)">
            <line x1={at} x2={at} y1={y(figure(box, 'min'))} y2={y(figure(box, 'max'))} />
            <rect x={at - width / 2} width={width} y={y(figure(box, 'thirdQuartile'))} height={Math.max(1, y(figure(box, 'firstQuartile')) - y(figure(box, 'thirdQuartile')))} fill="var(--card)" />
            <line x1={at - width / 2} x2={at + width / 2} y1={y(figure(box, 'median'))} y2={y(figure(box, 'median'))} stroke="var(--warn)" stroke-width="2" />
            {outliers(box).map((one, place) => <circle key={place} cx={at} cy={y(one)} r="3" />)}
          </g>
        );
      })}
    </>
  );
}

function Pie({ chart }: { chart: ChartData }) {
  const shares = chart.elements.map(({ share, angle }) => (typeof share === 'number' ? share : numberOf(angle, 0) / 360));
  const radius = (HEIGHT - TOP - 24) / 2;
  const [cx, cy] = [WIDTH / 2, TOP + radius + 4];
  let from = 0;
  return (
    <>
      {chart.elements.map(({ label }, index) => {
        const share = shares[index] ?? 0;
        const place = (part: number): string => `${(cx + radius * Math.sin(part * 2 * Math.PI)).toFixed(1)} ${(cy - radius * Math.cos(part * 2 * Math.PI)).toFixed(1)}`;
        const path = share >= 1 ? `M${cx} ${cy - radius}a${radius} ${radius} 0 1 1 -.1 0z` : `M${cx} ${cy}L${place(from)}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${place(from + share)}z`;
        from += share;
        return (
          <path key={index} d={path} fill={colourOf(index)} fill-opacity={1 - 0.15 * Math.floor(index / COLOURS.length)} stroke="var(--card)" stroke-width="2">
            <title>{`${textOf(label)} ${(share * 100).toFixed(1)} %`}</title>
          </path>
        );
      })}
    </>
  );
}
