/** What the last process of a session took over, by its journal. A backtest of it begins with the kept values alone. */
import type { JournalRow } from '../../model/entries/journal.ts';
import { readJournal } from '../../journal/verify.ts';
import { replayRows } from '../../spine/replay.ts';
import type { SessionRecord } from '../store/store.ts';

export interface ResumedWith {
  /** Values of `state`, by key. */
  readonly values: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/** `decidingFrom`: Unix ms. */
export function resumedWith(path: string, strategies: SessionRecord['strategies'], decidingFrom: number): ResumedWith {
  const { state } = replayRows(rowsBefore(readJournal(path), decidingFrom));
  const warnings = strategies.flatMap(({ tag }) => {
    const held = state.positions.all().filter(({ strategy, lots }) => strategy === tag && lots !== 0);
    const orders = state.orders.allLive().filter(({ strategy }) => strategy === tag).length;
    const programs = [...state.programs.working].filter(({ strategy }) => strategy === tag).length;
    const parts = [
      ...held.map(({ instrument, lots }) => `${instrument.quantityOf(lots)} ${instrument.symbol}`),
      ...(orders > 0 ? [`${orders} open orders`] : []),
      ...(programs > 0 ? [`${programs} programs`] : []),
    ];
    return parts.length === 0 ? [] : [`${tag} took over ${parts.join(', ')}: its backtest begins without`];
  });
  return { values: state.values, warnings };
}

function* rowsBefore(rows: Iterable<JournalRow>, ms: number): Generator<JournalRow> {
  for (const row of rows) if (row.ts < ms) yield row;
}
