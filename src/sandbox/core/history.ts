/** Pages of append-only lists, newest first. A cursor is the place of the last returned item. */
import { limits } from '../../exchange/interface/limits.ts';
import { HistoryLog } from './history-log.ts';

export interface PageQuery {
  /** Unix ms on creation time, inclusive. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Exclusive place; first page: the list's length. */
  readonly before: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

const CURSOR = /^p(\d{1,15})$/;

/** Undefined when invalid. */
export function parseCursor(text: string): number | undefined {
  const match = CURSOR.exec(text);
  return match === null ? undefined : Number(match[1]);
}

/** Capped at the maximum. */
export function pageLimit(asked: number | undefined): number {
  return Math.min(asked ?? limits.pageLimitDefault, limits.pageLimitMax);
}

/** `list` is ordered by `time`. `nextCursor` is null when nothing more matches. */
export function pageOf<Time extends string, Item extends Readonly<Record<Time, number>>>(
  list: readonly Item[] | HistoryLog<Item>,
  query: PageQuery,
  time: Time,
  wanted: (item: Item) => boolean,
): Page<Item> {
  const { items: rows, firstPlace } = list instanceof HistoryLog ? list : { items: list, firstPlace: 0 };
  const items: Item[] = [];
  const inTime = rows.findLastIndex((item) => item[time] <= query.to) + 1;
  let place = Math.min(Math.max(0, query.before - firstPlace), inTime);
  let last = place;
  while (place > 0) {
    const item = rows[place - 1]!;
    if (item[time] < query.from) break;
    place--;
    if (!wanted(item)) continue;
    if (items.length === query.limit) return { items, nextCursor: `p${firstPlace + last}` };
    items.push(item);
    last = place;
  }
  return { items, nextCursor: null };
}
