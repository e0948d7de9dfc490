import type { SandboxInfo } from '@bivouac/sdk';
import { nameOfSandbox } from '../parts/sandbox-head.js';

export type OrderedBy = 'name' | 'state' | 'template' | 'createdAt' | 'expiresAt';

export interface Order {
  by: OrderedBy;
  down: boolean;
}

const KEYS: Record<OrderedBy, (row: SandboxInfo) => string> = {
  name: nameOfSandbox,
  state: (row) => row.state,
  template: ({ template }) => template,
  createdAt: ({ createdAt }) => createdAt,
  expiresAt: ({ expiresAt }) => expiresAt,
};

/** In the order asked for; equal ones by their ids, so that rows never change places by themselves. */
export function sorted(rows: readonly SandboxInfo[], { by, down }: Order): SandboxInfo[] {
  const key = KEYS[by];
  const sign = down ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: key(row) }));
  keyed.sort((a, b) => (a.key === b.key ? (a.row.id < b.row.id ? 1 : -1) : a.key < b.key ? -sign : sign));
  return keyed.map(({ row }) => row);
}

/** Every word of the filter stands in the id, name, template, state or a label. */
export function matches(row: SandboxInfo, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return true;
  const texts = [row.id, row.name ?? '', row.template, row.state, ...Object.entries(row.labels).map((pair) => pair.join('='))].map((text) => text.toLowerCase());
  return words.every((word) => texts.some((text) => text.includes(word)));
}
