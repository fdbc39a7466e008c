/**
 * The gaps between recordings that follow each other: from where the book data of a symbol end to where another recording
 * goes on with it nothing is known of its book (T5). Called by `open-tape.ts`.
 */
import type { Instrument } from '../model/instrument.ts';
import type { GapEvent } from '../model/market-event.ts';
import type { Period } from './cursors.ts';

/** Files of a day each leave less than this between them. */
const GAP_MIN_US = 60_000_000;
const REASON = 'no recording of this time is given';

/** What one recording covers, exchange time in µs; candles alone are no book data. */
export interface Covered {
  readonly instruments: readonly Instrument[];
  readonly fromUs: number;
  readonly toUs: number;
  /** Receive time of what was received first and last. */
  readonly receivedFromUs: () => number;
  readonly receivedToUs: () => number;
}

/** Two events a gap, as far as they lie in the period; a gap that it begins in opens with it. In no order. */
export function gapsBetween(all: readonly Covered[], period: Period, baseLatencyUs: number): readonly GapEvent[] {
  const bySymbol = new Map<Instrument, Covered[]>();
  for (const covered of all.toSorted((a, b) => a.fromUs - b.fromUs)) {
    for (const instrument of covered.instruments) {
      const same = bySymbol.get(instrument);
      if (same === undefined) bySymbol.set(instrument, [covered]);
      else same.push(covered);
    }
  }
  return [...bySymbol].flatMap(([instrument, same]) => {
    const gaps: GapEvent[] = [];
    let before: Covered[] = [];
    for (const next of same) {
      const endUs = Math.max(...before.map(({ toUs }) => toUs));
      if (next.fromUs - endUs > GAP_MIN_US && before.length > 0) {
        const inPeriod = endUs < period.toUs && next.fromUs > period.fromUs;
        if (inPeriod) gaps.push(...gapOf(instrument, before, endUs, next, period, baseLatencyUs));
        before = [];
      }
      before.push(next);
    }
    return gaps;
  });
}

function gapOf(
  instrument: Instrument,
  before: readonly Covered[],
  endUs: number,
  next: Covered,
  period: Period,
  baseLatencyUs: number,
): readonly GapEvent[] {
  const fromUs = Math.max(endUs, period.fromUs);
  const heardUs = Math.max(...before.map(({ receivedToUs }) => receivedToUs()));
  const openUs = endUs < fromUs ? Math.max(heardUs, fromUs + baseLatencyUs) : heardUs;
  const closeUs = Math.max(openUs, next.receivedFromUs());
  const gap = { kind: 'gap', instrument, reason: REASON, fromUs } as const;
  const open: GapEvent = { ...gap, exchangeUs: fromUs, receiveUs: openUs, open: true };
  return next.fromUs < period.toUs
    ? [open, { ...gap, exchangeUs: next.fromUs, receiveUs: closeUs, open: false }]
    : [open];
}
