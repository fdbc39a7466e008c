/** Counts per symbol for `data info`, in receive order. */
import { BookSync, type BookStart } from '../model/book/book-sync.ts';
import { Ladder } from '../model/book/ladder.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type { DepthEvent, MarketEvent, SequenceRule } from '../model/market/market-event.ts';
import type { Tape } from './tape/tape.ts';

export interface SymbolCensus {
  snapshots: number;
  /** Updates, without snapshots. */
  depthMessages: number;
  /** Price levels in updates. */
  levels: number;
  trades: number;
  topQuotes: number;
  candles: number;
  /** Missing messages, crossed books, lost connections. */
  gaps: number;
  /** Of the recording clock. */
  peakPerSecond: number;
}

interface SymbolState extends SymbolCensus {
  readonly sync: BookSync;
  second: number;
  inSecond: number;
}

const US_PER_SECOND = 1_000_000;

/** Undoes `clockShiftUs`. */
export function takeCensus(tape: Tape): ReadonlyMap<string, SymbolCensus> {
  const census = new Census(
    tape.instruments,
    (symbol) => tape.rules.get(symbol) ?? 'none',
    (symbol) => (tape.withSnapshot.has(symbol) ? 'snapshot' : 'updates'),
  );
  const shiftUs = tape.sources[0]?.clockShiftUs ?? 0;
  const cursor = tape.cursor('receive');
  while (cursor.nextUs !== Infinity) census.add(cursor.next(), shiftUs);
  return census.taken();
}

/** Takes events in receive order. */
export class Census {
  readonly #states = new Map<string, SymbolState>();

  constructor(
    instruments: readonly Instrument[],
    ruleOf: (symbol: string) => SequenceRule,
    startOf: (symbol: string) => BookStart,
  ) {
    for (const instrument of instruments) {
      const { symbol } = instrument;
      const sync = new BookSync(new Ladder(instrument), { rule: ruleOf(symbol), start: startOf(symbol) });
      this.#states.set(symbol, emptyState(sync));
    }
  }

  add(event: MarketEvent, shiftUs = 0): void {
    const state = this.#states.get(event.instrument.symbol);
    if (state !== undefined) count(state, event, Math.floor((event.receiveUs - shiftUs) / US_PER_SECOND));
  }

  taken(): ReadonlyMap<string, SymbolCensus> {
    return new Map([...this.#states].map(([symbol, state]) => [symbol, censusOf(state)]));
  }
}

function emptyState(sync: BookSync): SymbolState {
  return {
    snapshots: 0,
    depthMessages: 0,
    levels: 0,
    trades: 0,
    topQuotes: 0,
    candles: 0,
    gaps: 0,
    peakPerSecond: 0,
    sync,
    second: -1,
    inSecond: 0,
  };
}

function censusOf(state: SymbolState): SymbolCensus {
  const { sync: _sync, second: _second, inSecond: _inSecond, ...census } = state;
  return census;
}

function count(state: SymbolState, event: MarketEvent, second: number): void {
  if (event.kind === 'gap') {
    if (event.open) {
      state.gaps++;
      state.sync.discard(event.reason);
    }
    return;
  }
  state.inSecond = second === state.second ? state.inSecond + 1 : 1;
  state.second = second;
  state.peakPerSecond = Math.max(state.peakPerSecond, state.inSecond);
  if (event.kind === 'depth') countDepth(state, event);
  else if (event.kind === 'trade') state.trades++;
  else if (event.kind === 'quote') state.topQuotes++;
  else if (event.kind === 'candle') state.candles++;
}

function countDepth(state: SymbolState, event: DepthEvent): void {
  if (event.snapshot) {
    state.snapshots++;
  } else {
    state.depthMessages++;
    state.levels += event.levels.to - event.levels.from;
  }
  if (state.sync.onDepth(event) === 'gap') state.gaps++;
}
