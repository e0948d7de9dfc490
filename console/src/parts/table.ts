import { h } from '../dom.js';

export interface Column<Row> {
  title: string;
  cell(row: Row): Node | string;
  /** Left out where there is little room. */
  wide?: boolean;
}

/** A table that keeps its rows' elements while their content is the same, so that focus and selection stay. */
export class Table<Row> {
  readonly element: HTMLElement;
  private readonly body = h('tbody');
  private readonly rows = new Map<string, { shown: string; element: HTMLTableRowElement }>();

  constructor(
    private readonly columns: ReadonlyArray<Column<Row>>,
    private readonly empty: string,
  ) {
    const head = h('tr', {}, ...columns.map((column) => h('th', { scope: 'col', class: column.wide ? 'wide' : '' }, column.title)));
    this.element = h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, head), this.body));
  }

  show(rows: readonly Row[], id: (row: Row) => string): void {
    const wanted = new Set(rows.map(id));
    for (const [key, { element }] of this.rows) {
      if (wanted.has(key)) continue;
      element.remove();
      this.rows.delete(key);
    }
    this.body.querySelector('.empty')?.remove();
    rows.forEach((row, index) => this.place(id(row), row, index));
    if (rows.length === 0) {
      this.body.append(h('tr', { class: 'empty' }, h('td', { colSpan: this.columns.length }, this.empty)));
    }
  }

  private place(key: string, row: Row, index: number): void {
    const shown = JSON.stringify(row);
    let present = this.rows.get(key);
    if (present?.shown !== shown) {
      const element = h('tr', {}, ...this.columns.map((column) => h('td', { class: column.wide ? 'wide' : '' }, column.cell(row))));
      present?.element.replaceWith(element);
      present = { shown, element };
      this.rows.set(key, present);
    }
    if (this.body.children[index] !== present.element) this.body.insertBefore(present.element, this.body.children[index] ?? null);
  }
}
