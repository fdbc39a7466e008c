/**
 * A strategy's own fills since a given one. They come from the journal, so those of earlier processes and of the
 * reconciliation at the start are included. A backtest's journal keeps nothing, so it keeps the newest in memory.
 */
import { isFeeCorrection } from '../../model/trading/fee-correction.ts';
import { fillCursor, type Fill } from '../../model/trading/fill.ts';
import { Replay } from '../../spine/replay.ts';
import { replayOf, SNAPSHOT_VERSION, textOf, type Resumable } from '../../spine/snapshot/snapshot.ts';
import { executionErrors } from '../errors.ts';

const KEPT_MAX = 10_000;

export class RecentFills {
  #kept: Fill[] = [];
  #dropped = 0;

  add(fill: Fill): void {
    this.#kept.push(fill);
    if (this.#kept.length < 2 * KEPT_MAX) return;
    this.#dropped += KEPT_MAX;
    this.#kept = this.#kept.slice(KEPT_MAX);
  }

  /** Throws `fills_cursor_unknown`. */
  since(cursor: string | undefined): readonly Fill[] {
    const found = after(this.#kept, cursor);
    if (found !== undefined && (cursor !== undefined || this.#dropped === 0)) return found;
    throw unknown(cursor, `a backtest keeps the newest ${KEPT_MAX} fills of a strategy`);
  }
}

export interface BookedFill {
  /** When it was booked, Unix ms. */
  readonly at: number;
  readonly fill: Fill;
}

/**
 * `elsewhere`: of the strategy in other sessions, asked only for a cursor of one of them. Throws `fills_cursor_unknown`,
 * and errors of the journal.
 */
export function journalledFills(
  journal: Resumable,
  strategy: string,
  cursor: string | undefined,
  elsewhere: (strategy: string) => readonly BookedFill[] = () => [],
): readonly Fill[] {
  const snapshot = cursor === undefined ? undefined : journal.lastSnapshot?.();
  if (snapshot?.version === SNAPSHOT_VERSION) {
    const recent = after(bare(fillsIn(journal, strategy, replayOf(textOf(snapshot)))), cursor);
    if (recent !== undefined) return recent;
  }
  const own = fillsIn(journal, strategy);
  const all = after(bare(own), cursor) ?? after(onceByTime([...elsewhere(strategy), ...own]), cursor);
  if (all !== undefined) return all;
  throw unknown(cursor, 'no session of this account here has such a fill of this strategy');
}

/** Fills after those that `replay` has read. */
export function fillsIn(journal: Resumable, strategy: string, replay = new Replay()): readonly BookedFill[] {
  const fills: BookedFill[] = [];
  for (const row of journal.read(replay.rows + 1)) {
    replay.row(row);
    const { entry, ts: at } = row;
    if (entry.kind === 'fill') {
      const order = replay.state.orders.byIntent(entry.intentId);
      if (order?.strategy === strategy && !isFeeCorrection(entry.fill))
        fills.push({ at, fill: Object.freeze({ ...entry.fill, ref: order.ref, tag: order.tag }) });
    } else if (entry.kind === 'liquidation' && entry.strategy === strategy) {
      fills.push({
        at,
        fill: Object.freeze({ ...entry.fill, ref: `liquidation-${entry.fill.tradeId}`, tag: strategy }),
      });
    }
  }
  return fills;
}

/** A trade may have been booked in two sessions. */
function onceByTime(booked: readonly BookedFill[]): readonly Fill[] {
  const fills = bare(booked.toSorted((one, other) => one.at - other.at));
  return [...new Map(fills.map((fill) => [fillCursor(fill), fill])).values()];
}

function bare(booked: readonly BookedFill[]): readonly Fill[] {
  return booked.map(({ fill }) => fill);
}

function after(fills: readonly Fill[], cursor: string | undefined): readonly Fill[] | undefined {
  if (cursor === undefined) return [...fills];
  const at = fills.findLastIndex((fill) => fillCursor(fill) === cursor);
  return at < 0 ? undefined : fills.slice(at + 1);
}

function unknown(cursor: string | undefined, why: string): Error {
  const asked = cursor === undefined ? 'all own fills were asked for' : `own fills since ${cursor} were asked for`;
  return executionErrors.make('fills_cursor_unknown', `${asked}: ${why}`, { cursor: cursor ?? null });
}
