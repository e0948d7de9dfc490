import type { SandboxInfo } from '@bivouac/sdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isAlive } from '../parts/expiry.js';
import { deleteSandbox, nameOfSandbox } from '../parts/sandbox-head.js';
import { Icon, StateMark, When } from '../ui/pieces.js';
import type { Order, OrderedBy } from './order.js';

/** As the style sheet has them. */
const ROW = 40;
const ROW_ON_PHONE = 68;
const PHONE = '(max-width: 44rem)';

/** Rows that are made above and below those that can be seen. */
const SPARE = 12;

interface Properties {
  rows: readonly SandboxInfo[];
  order: Order;
  reorder: (order: Order) => void;
  changing: boolean;
  chosen: ReadonlySet<string>;
  choose: (chosen: ReadonlySet<string>) => void;
  filter: (words: string) => void;
}

/** Sandboxes in rows of one height: only those near the screen are there, so that thousands cost what dozens do. */
export function SandboxTable({ rows, order, reorder, changing, chosen, choose, filter }: Properties) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [first, last] = useWindow(body, rows.length);
  const height = matchMedia(PHONE).matches ? ROW_ON_PHONE : ROW;
  const areAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  const head = { order, reorder };
  return (
    <div class="list">
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {changing && (
              <th class="tick" scope="col">
                <input type="checkbox" aria-label="Select all" checked={areAll} onChange={() => choose(areAll ? new Set() : new Set(rows.map(({ id }) => id)))} />
              </th>
            )}
            <Heading title="Sandbox" by="name" {...head} />
            <Heading title="State" by="state" class="col-state" {...head} />
            <Heading title="Template" by="template" class="col-template" {...head} />
            <th class="col-labels" scope="col">Labels</th>
            <Heading title="Age" by="createdAt" class="col-time col-made" {...head} />
            <Heading title="Expires" by="expiresAt" class="col-time" {...head} />
            <th class="col-do" scope="col"><span class="hidden">Actions</span></th>
          </tr>
        </thead>
        <tbody ref={body}>
          <Space height={first * height} />
          {rows.slice(first, last).map((row, index) => (
            <Row key={row.id} row={row} at={first + index} changing={changing} chosen={chosen.has(row.id)} toggle={toggle} filter={filter} />
          ))}
          <Space height={(rows.length - last) * height} />
          {rows.length === 0 && (
            <tr class="empty">
              <td colSpan={8}>No sandbox fits.</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Heading({ title, by, order, reorder, class: names = '' }: { title: string; by: OrderedBy; order: Order; reorder: (order: Order) => void; class?: string }) {
  const mine = order.by === by;
  return (
    <th scope="col" class={names} {...(mine ? { 'aria-sort': order.down ? ('descending' as const) : ('ascending' as const) } : {})}>
      <button type="button" onClick={() => reorder({ by, down: mine ? !order.down : by === 'createdAt' })}>
        {title}
        {mine && <span aria-hidden="true">{order.down ? '↓' : '↑'}</span>}
      </button>
    </th>
  );
}

/** The room of the rows that are not there. */
function Space({ height }: { height: number }) {
  const place = useRef<HTMLTableRowElement>(null);
  useLayoutEffect(() => place.current?.style.setProperty('--height', `${height}px`), [height]);
  return (
    <tr class="space" ref={place} aria-hidden="true" hidden={height === 0}>
      <td colSpan={8} />
    </tr>
  );
}

interface RowProperties {
  row: SandboxInfo;
  at: number;
  changing: boolean;
  chosen: boolean;
  toggle: (id: string) => void;
  filter: (words: string) => void;
}

function Row({ row, at, changing, chosen, toggle, filter }: RowProperties) {
  const name = nameOfSandbox(row);
  return (
    <tr class={chosen ? 'entry chosen' : 'entry'} aria-rowindex={at + 2}>
      {changing && (
        <td class="tick">
          <input type="checkbox" aria-label={`Select ${name}`} checked={chosen} onChange={() => toggle(row.id)} />
        </td>
      )}
      <td class="name">
        <a href={`#/sandboxes/${row.id}`} title={row.id}>{name}</a>
        {row.name !== undefined && row.name !== row.id && <span class="id" title={row.id}>{`…${row.id.slice(-6)}`}</span>}
      </td>
      <td class="col-state" title={row.stateReason ?? ''}>
        <StateMark sandbox={row} />
      </td>
      <td class="col-template">{row.template}</td>
      <td class="col-labels">
        <div class="labels">
          {Object.entries(row.labels).map(([key, value]) => (
            <button key={key} type="button" class="label" title={`Filter by ${key}=${value}`} onClick={() => filter(`${key}=${value}`)}>{`${key}=${value}`}</button>
          ))}
        </div>
      </td>
      <td class="col-time col-made dim">
        <When time={row.createdAt} />
      </td>
      <td class="col-time col-end">{isAlive(row) && <When time={row.expiresAt} expiring />}</td>
      <td class="col-do">
        {changing && row.state === 'running' && (
          <a class="button only-sign" href={`#/sandboxes/${row.id}/terminal`} aria-label="Open terminal" title="Open terminal">
            <Icon name="terminal" />
          </a>
        )}
        {changing && (
          <button type="button" class="only-sign" aria-label={`Delete ${name}`} title="Delete" onClick={() => void deleteSandbox(row)}>
            <Icon name="trash" />
          </button>
        )}
      </td>
    </tr>
  );
}

/** Which rows are near the screen, as the page is scrolled. */
function useWindow(body: { current: HTMLTableSectionElement | null }, count: number): [number, number] {
  const [[first, last], setWindow] = useState<[number, number]>([0, 40]);
  useEffect(() => {
    const scroller = body.current?.closest('.content');
    if (scroller === null || scroller === undefined) return;
    const look = (): void => {
      const height = matchMedia(PHONE).matches ? ROW_ON_PHONE : ROW;
      const above = scroller.getBoundingClientRect().top - (body.current?.getBoundingClientRect().top ?? 0);
      const from = Math.max(0, Math.floor(above / height) - SPARE);
      const to = Math.ceil((above + scroller.clientHeight) / height) + SPARE;
      // In steps, so that not every pixel draws again.
      setWindow((before) => (Math.abs(before[0] - from) < SPARE / 2 && Math.abs(before[1] - to) < SPARE / 2 ? before : [from, to]));
    };
    look();
    scroller.addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      scroller.removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [count]);
  return [Math.min(first, Math.max(0, count - 1)), Math.min(last, count)];
}
