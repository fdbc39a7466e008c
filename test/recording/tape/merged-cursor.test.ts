/** Many recordings in one order: by time, ties by source, then by record, whatever their number. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MarketEvent } from '../../../src/model/market/market-event.ts';
import { ListCursor, SOURCE_STRIDE } from '../../../src/recording/tape/cursors.ts';
import { Instrument } from '../../../src/model/market/instrument.ts';
import { MergedCursor } from '../../../src/recording/tape/merged-cursor.ts';
import { BTC } from '../fixtures.ts';

const instrument = new Instrument(BTC);

function eventsOf(times: readonly number[], source: number): readonly MarketEvent[] {
  return times.map((us, index) => ({
    kind: 'trade',
    instrument,
    exchangeUs: us,
    receiveUs: us,
    tradeId: `${source}/${index}`,
    ticks: 1,
    lots: 1,
    takerBuys: true,
  }));
}

const times = fc
  .array(fc.integer({ min: 0, max: 30 }), { maxLength: 20 })
  .map((list) => list.toSorted((left, right) => left - right));

/** None: always a heap. As many as there are: always one by one. */
const fewMax = fc.constantFrom(0, 4, 12);

describe('several cursors', () => {
  it('come in the order of time, source and record, looked through one by one or from a heap', () => {
    fc.assert(
      fc.property(fc.array(times, { maxLength: 12 }), fewMax, (sources, fewMax) => {
        const lists = sources.map((list, source) => eventsOf(list, source));
        const merged = new MergedCursor(
          lists.map((events, source) => new ListCursor(events, 'exchange', source * SOURCE_STRIDE)),
          fewMax,
        );
        const seen: string[] = [];
        while (merged.nextUs < Infinity) {
          const { nextUs } = merged;
          const event = merged.next();
          expect(event.exchangeUs).toBe(nextUs);
          seen.push(event.kind === 'trade' ? event.tradeId : '');
        }
        // A stable sort keeps sources and records in order.
        const wanted = lists.flat().toSorted((left, right) => left.exchangeUs - right.exchangeUs);
        expect(seen).toEqual(wanted.map((event) => (event.kind === 'trade' ? event.tradeId : '')));
        expect(() => merged.next()).toThrow(RangeError);
      }),
    );
  });
});
