import { h } from '../dom.js';

/** Names and values; what has no value is left out. */
export function facts(rows: ReadonlyArray<readonly [string, Node | string | undefined]>): HTMLElement[] {
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [h('div', {}, h('dt', {}, name), h('dd', {}, value))]));
}
