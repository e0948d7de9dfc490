import { markdown } from '../files/markdown.js';
import { Plain } from '../ui/mount.js';
import { plainText, type Output } from './cells.js';
import { ChartView, isChart } from './chart.js';
import type { CodeResult } from './kernel.js';

const COLUMNS = 'application/vnd.bivouac.columns+json';
const PICTURES = ['image/png', 'image/jpeg'] as const;

interface Columns {
  columns: Array<{ name: string; type: string; values: unknown[] }>;
  rows: number;
  truncated: boolean;
}

/** What a cell showed. Nothing of it becomes markup of ours: pictures are data, Markdown is elements, HTML is its text. */
export function Outputs({ outputs }: { outputs: readonly Output[] }) {
  return (
    <div class="outputs">
      {outputs.map((output, index) => (
        <OutputView key={index} output={output} />
      ))}
    </div>
  );
}

function OutputView({ output }: { output: Output }) {
  if (output.kind === 'text') return <pre class={output.stream === 'stderr' ? 'aside' : ''} tabIndex={0}>{plainText(output.text)}</pre>;
  if (output.kind === 'error') return <pre class="wrong" tabIndex={0}>{plainText(output.text) || output.name}</pre>;
  return <ResultView result={output.result} />;
}

function ResultView({ result: { mimeBundle, chart } }: { result: CodeResult }) {
  const text = (type: string): string | undefined => (typeof mimeBundle[type] === 'string' ? mimeBundle[type] : undefined);
  const picture = PICTURES.find((type) => type in mimeBundle);
  const svg = text('image/svg+xml');
  const image = picture !== undefined ? `data:${picture};base64,${text(picture)}` : svg === undefined ? undefined : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  if (isChart(chart)) {
    return (
      <>
        <ChartView chart={chart} />
        {image !== undefined && (
          <details class="picture">
            <summary>As the program drew it</summary>
            <img src={image} alt={text('text/plain') ?? 'Picture'} />
          </details>
        )}
      </>
    );
  }
  if (image !== undefined) return <img src={image} alt={text('text/plain') ?? 'Picture'} />;
  if (isColumns(mimeBundle[COLUMNS])) return <Frame frame={mimeBundle[COLUMNS]} />;
  const prose = text('text/markdown');
  if (prose !== undefined) return <Plain make={() => markdown(prose, () => undefined)} />;
  if ('application/json' in mimeBundle && text('text/plain') === undefined) return <pre tabIndex={0}>{JSON.stringify(mimeBundle['application/json'], undefined, 2)}</pre>;
  return <pre tabIndex={0}>{plainText(text('text/plain') ?? text('text/latex') ?? text('text/html') ?? Object.keys(mimeBundle).join(', '))}</pre>;
}

function isColumns(value: unknown): value is Columns {
  return typeof value === 'object' && value !== null && Array.isArray((value as Columns).columns);
}

const ROWS = 50;

/** A data frame as a table. */
function Frame({ frame: { columns, rows } }: { frame: Columns }) {
  const shown = Math.min(ROWS, columns[0]?.values.length ?? 0);
  return (
    <div class="frame" tabIndex={0} role="region" aria-label="Data frame">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, type }) => (
              <th key={name} scope="col" title={type}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: shown }, (_, row) => (
            <tr key={row}>
              {columns.map(({ name, values }) => (
                <td key={name} class={typeof values[row] === 'number' ? 'number' : ''}>
                  {cellText(values[row])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="dim">
        {shown < rows ? `${shown} of ${rows} rows` : `${rows} rows`}, {columns.length} columns
      </p>
    </div>
  );
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
