/** All entries of a session, read page by page, and what stood at any moment of it: the same reducer as for what comes live. */
import { read, sessionPath } from '../wire/api.ts';
import type { EntryPage, EntryRow, FillRow, OrderRow } from '../wire/types.ts';
import { add } from './exact.ts';
import { fillOf, type Named } from './fills.ts';
import { OwnOrders } from './own-orders.ts';

const PAGE = 1_000;
/** More than these are not held by a page; the rest is told. */
const ENTRIES_MAX = 200_000;

export interface Moment {
  readonly ts: number;
  readonly orders: readonly OrderRow[];
  /** Up to the moment. */
  readonly fills: readonly FillRow[];
  /** Symbol to signed quantity, of all strategies. */
  readonly positions: ReadonlyMap<string, string>;
  /** Reason of the kill switch. */
  readonly killed: string | null;
  /** The newest entries before it, newest last. */
  readonly recent: readonly EntryRow[];
}

const RECENT = 40;

export class History {
  readonly rows: readonly EntryRow[];
  readonly #fills: readonly FillRow[];
  /** Whether there were more than fit. */
  readonly isCut: boolean;

  constructor(rows: readonly EntryRow[], isCut: boolean) {
    this.rows = rows;
    this.isCut = isCut;
    const names = new Map<string, Named>();
    this.#fills = rows.flatMap((row) => {
      if (row.kind === 'intent' && row.entry['command'] === 'create')
        names.set(String(row.entry['intentId']), {
          ref: String(row.entry['ref']),
          strategy: String(row.entry['strategy']),
        });
      return fillOf(row, (intentId) => names.get(intentId) ?? { ref: null, strategy: '' }) ?? [];
    });
  }

  get from(): number {
    return this.rows[0]?.ts ?? 0;
  }

  get to(): number {
    return this.rows.at(-1)?.ts ?? 0;
  }

  get fills(): readonly FillRow[] {
    return this.#fills;
  }

  at(ts: number): Moment {
    const count = countUntil(this.rows, ts);
    const own = new OwnOrders();
    let killed: string | null = null;
    for (let i = 0; i < count; i++) {
      const row = this.rows[i];
      if (row === undefined) continue;
      own.apply(row);
      if (row.kind === 'kill') killed = row.entry['on'] === true ? String(row.entry['reason']) : null;
    }
    const fills = this.#fills.slice(0, countUntil(this.#fills, ts));
    const positions = new Map<string, string>();
    for (const { symbol, side, quantity } of fills)
      positions.set(symbol, add(positions.get(symbol) ?? '0', side === 'buy' ? quantity : `-${quantity}`));
    return {
      ts,
      orders: own.rows,
      fills,
      positions,
      killed,
      recent: this.rows.slice(Math.max(0, count - RECENT), count),
    };
  }
}

/** How many of growing times are at or before one. */
function countUntil(rows: readonly { readonly ts: number }[], ts: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.ts ?? 0) <= ts) low = middle + 1;
    else high = middle;
  }
  return low;
}

export async function readHistory(
  session: string,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<History> {
  const rows: EntryRow[] = [];
  let after = 0;
  while (rows.length < ENTRIES_MAX) {
    const page = await read<EntryPage>(`${sessionPath(session)}/entries`, { after, limit: PAGE }, signal);
    rows.push(...page.entries);
    if (page.entries.length === 0 || page.next === after) return new History(rows, false);
    after = page.next;
    onProgress(rows.length);
  }
  return new History(rows, true);
}
