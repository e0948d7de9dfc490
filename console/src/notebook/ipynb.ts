import { newCell, plainText, type Cell, type Output } from './cells.js';
import { LANGUAGES, type Language } from './kernel.js';

interface NotebookFile {
  cells: Array<{ cell_type: string; source: string | string[]; metadata?: { language?: string } }>;
  metadata?: { language_info?: { name?: string } };
}

/** The cells as Jupyter reads them. */
export function toIpynb(cells: readonly Cell[]): string {
  const language = cells[0]?.language ?? 'python';
  const file = {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: language === 'python' ? 'python3' : language, display_name: language, language }, language_info: { name: language } },
    cells: cells.map((cell) => ({
      cell_type: 'code',
      id: `cell-${cell.key}`,
      metadata: cell.language === language ? {} : { language: cell.language },
      execution_count: cell.count ?? null,
      source: lines(cell.source),
      outputs: cell.outputs.map((output) => outputOf(output, cell.count ?? null)),
    })),
  };
  return `${JSON.stringify(file, undefined, 1)}\n`;
}

function outputOf(output: Output, count: number | null): object {
  switch (output.kind) {
    case 'text':
      return { output_type: 'stream', name: output.stream, text: lines(output.text) };
    case 'error':
      return { output_type: 'error', ename: output.name, evalue: plainText(output.text).split('\n').at(-1) ?? '', traceback: output.text.split('\n') };
    case 'result': {
      const { main, mimeBundle } = output.result;
      return { output_type: main ? 'execute_result' : 'display_data', data: mimeBundle, metadata: {}, ...(main ? { execution_count: count } : {}) };
    }
  }
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** The code of a notebook; what it showed is of another machine. */
export function fromIpynb(text: string): Cell[] {
  const file = JSON.parse(text) as Partial<NotebookFile>;
  if (!Array.isArray(file.cells)) throw new Error('This is no notebook: it has no cells.');
  const usual = known(file.metadata?.language_info?.name) ?? 'python';
  return file.cells
    .filter(({ cell_type: kind }) => kind === 'code')
    .map(({ source, metadata }) => newCell(known(metadata?.language) ?? usual, Array.isArray(source) ? source.join('') : source));
}

function known(name: string | undefined): Language | undefined {
  return LANGUAGES.find((one) => one === name);
}
