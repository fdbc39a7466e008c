/** Gaps of `simulation.stress` on the strategy's side; a book snapshot follows each. */
import type { BookSyncOptions } from '../../model/book/book-sync.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { MarketEvent, MarketSink } from '../../model/market/market-event.ts';
import type { Random } from '../../model/ports.ts';
import { KnownBook } from '../../recording/compile/known-book.ts';
import type { StressOptions } from '../../simulation/stress/options.ts';
import { stretches } from '../../simulation/stress/stretches.ts';

const REASON = 'injected by simulation.stress';

export interface StreamGapOptions {
  readonly stress: StressOptions;
  readonly random: Random;
  readonly startUs: number;
  readonly sync: (symbol: string) => BookSyncOptions;
}

/** `sink` itself without gaps. Events in receive order. */
export function withStreamGaps(sink: MarketSink, { stress, random, startUs, sync }: StreamGapOptions): MarketSink {
  const { gaps } = stress;
  if (Array.isArray(gaps) && gaps.length === 0) return sink;
  const isWithin = stretches(gaps, random, startUs);
  const books = new Map<Instrument, KnownBook>();
  const missing = new Map<Instrument, number>();
  const bookOf = (instrument: Instrument): KnownBook => {
    const known = books.get(instrument);
    if (known !== undefined) return known;
    const made = new KnownBook(instrument, sync(instrument.symbol));
    books.set(instrument, made);
    return made;
  };
  const close = (event: MarketEvent, fromUs: number): void => {
    const { instrument, exchangeUs, receiveUs } = event;
    missing.delete(instrument);
    sink({ kind: 'gap', instrument, exchangeUs, receiveUs, reason: REASON, fromUs, open: false });
    for (const told of books.get(instrument)?.told(exchangeUs, receiveUs) ?? []) sink(told);
  };
  return (event) => {
    const { instrument, exchangeUs, receiveUs } = event;
    const since = missing.get(instrument);
    const isMissed = isWithin(receiveUs);
    if (isMissed && since === undefined) {
      missing.set(instrument, exchangeUs);
      sink({ kind: 'gap', instrument, exchangeUs, receiveUs, reason: REASON, fromUs: exchangeUs, open: true });
    }
    if (!isMissed && since !== undefined) close(event, since);
    if (event.kind === 'depth' || event.kind === 'gap') bookOf(instrument).onEvent(event);
    if (!isMissed) sink(event);
  };
}
