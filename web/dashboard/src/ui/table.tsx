/** A table by columns: head and cells agree, numbers at the right, its own scroll where it is too wide. */
import type { ComponentChildren, VNode } from 'preact';
import { Empty } from './states.tsx';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  readonly isText?: boolean;
  /** Left out on a phone. */
  readonly isMinor?: boolean;
}

interface TableProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
  readonly emptyNote?: ComponentChildren;
  /** Rows that just came. */
  readonly isFresh?: (row: Row) => boolean;
  readonly class?: string;
}

function classOf<Row>({ isNumber, isText, isMinor }: Column<Row>): string {
  return [isNumber === true ? 'num' : '', isText === true ? 'text' : '', isMinor === true ? 'minor' : '']
    .join(' ')
    .trim();
}

export function Table<Row>({
  name,
  columns,
  rows,
  keyOf,
  empty,
  emptyNote,
  isFresh,
  class: more = '',
}: TableProps<Row>): VNode {
  if (rows.length === 0) return <Empty title={empty}>{emptyNote}</Empty>;
  return (
    <div class={`scroll ${more}`} tabIndex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" class={classOf(column)}>
                {column.head === '' ? <span class="hidden-text">action</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-key={keyOf(row)} class={isFresh?.(row) === true ? 'fresh' : ''}>
              {columns.map((column) => (
                <td key={column.head} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
