/** Gaps of a symbol's book data between consecutive recordings. */
import type { Instrument } from '../../model/market/instrument.ts';
import type { GapEvent } from '../../model/market/market-event.ts';
import type { Period } from '../tape/cursors.ts';

/** Normal between daily files. */
const GAP_MIN_US = 60_000_000;
const REASON = 'no recording of this time is given';

/** Exchange time, µs. Candles are not book data. */
export interface Covered {
  readonly instruments: readonly Instrument[];
  readonly fromUs: number;
  readonly toUs: number;
  /** First and last receive time. */
  readonly receivedFromUs: () => number;
  readonly receivedToUs: () => number;
}

/** Two events a gap, unsorted. */
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
