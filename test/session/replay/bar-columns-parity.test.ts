/** A replay of bars by columns is the plain replay: the same fills, answers, marks and payments at the same times. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Instrument } from '../../../src/model/market/instrument.ts';
import type { CandleEvent } from '../../../src/model/market/market-event.ts';
import { columnsOf } from '../../../src/session/replay/tape-columns.ts';
import { candle, perpetual, spot } from '../../simulation/market.ts';
import { lived, order } from './lived.ts';
import { memoryTape } from './memory-tape.ts';

const bar = fc.record({
  /** Ticks from the last close. */
  gap: fc.constantFrom(0, 0, 0, 0, 1, -1, 40, -40),
  up: fc.constantFrom(0, 1, 2, 3, 4, 4, 4, 60),
  down: fc.constantFrom(0, 1, 2, 3, 4, 4, 4, 60),
  /** Where it closes between its extremes. */
  close: fc.constantFrom(0, 0.25, 0.5, 1),
  volume: fc.constantFrom(0, 8, 60, 60),
  missing: fc.constantFrom(0, 0, 0, 0, 0, 1, 3),
  lateUs: fc.constantFrom(0, 0, 1_000, 2_000_000),
  odd: fc.oneof(
    { weight: 400, arbitrary: fc.constant('' as const) },
    { weight: 1, arbitrary: fc.constantFrom('again', 'forming', 'longer', 'early' as const) },
  ),
});
type Bar = typeof bar extends fc.Arbitrary<infer Value> ? Value : never;

const INTERVAL_MS = 3_600_000;

/** Around 1000 ticks. */
function barsOf(bars: readonly Bar[], instrument: Instrument): readonly CandleEvent[] {
  let openTime = 5 * INTERVAL_MS;
  let last = 1000;
  let heardUs = 0;
  return bars.flatMap(({ gap, up, down, close: where, volume, missing, lateUs, odd }) => {
    openTime += missing * INTERVAL_MS;
    const open = last + gap;
    const [low, high] = [open - down, open + up];
    last = low + Math.round(where * (high - low));
    const exchangeUs = (openTime + INTERVAL_MS) * 1000;
    heardUs = Math.max(heardUs, exchangeUs + lateUs);
    const at = { instrument, exchangeUs, receiveUs: heardUs, intervalMs: INTERVAL_MS, openTime };
    const event = candle([open, high, low, last], volume, at);
    openTime += INTERVAL_MS;
    if (odd === 'again') return [event, event];
    if (odd === 'forming') return [{ ...event, closed: false }, event];
    if (odd === 'longer') return [event, { ...event, intervalMs: 2 * INTERVAL_MS }];
    return [odd === 'early' ? { ...event, exchangeUs: exchangeUs - 1_000_000 } : event];
  });
}

/** Decided at or soon after a bar was heard of. */
const decided = fc.record({
  order,
  bar: fc.nat(),
  afterUs: fc.constantFrom(0, 0, 1_000, 900_000, 1_500_000, 2_500_000, 700_000_000),
});

const scenario = fc.record({
  streams: fc.constant([]),
  bars: fc.array(bar, { minLength: 8, maxLength: 80, size: 'max' }),
  decided: fc.array(decided, { maxLength: 12, size: 'max' }),
  isPerpetual: fc.boolean(),
  passes: fc.constantFrom(1, 1, 2),
  leverage: fc.constantFrom(1, 20),
  simulation: fc.record({
    exchange: fc.constant('candles'),
    participation: fc.constantFrom(0.1, 1),
    latency: fc.constantFrom({ entryMs: 0, responseMs: 0 }, { entryMs: 3, responseMs: 7 }, { entryMs: 60_000 }),
  }),
});

it('is the plain replay, on any bars, by any orders', () => {
  let [byColumns, plain, filled, liquidated] = [0, 0, 0, 0];
  fc.assert(
    fc.property(scenario, ({ bars, decided: decisions, passes, ...rest }) => {
      const instrument = rest.isPerpetual ? perpetual : spot;
      const events = barsOf(bars, instrument);
      const tape = memoryTape(events, { instrument, rule: 'none', passes });
      const orders = decisions.map(({ order: each, bar: at, afterUs }) => {
        const us = events[at % events.length]!.receiveUs + afterUs;
        return { ...each, at: (us - tape.fromUs) / (tape.toUs - tape.fromUs) };
      });
      const scene = { ...rest, orders };
      const columns = columnsOf(tape);
      if (columns === null) plain++;
      else byColumns++;
      const seen = lived(tape, scene, columns);
      if (seen.includes('"filled"')) filled++;
      if (seen.includes('"liquidated"')) liquidated++;
      expect(seen).toBe(lived(tape, scene, null));
    }),
    { numRuns: 400, endOnFailure: true },
  );
  expect(byColumns).toBeGreaterThan(plain);
  expect(plain).toBeGreaterThan(0);
  expect(filled).toBeGreaterThan(100);
  expect(liquidated).toBeGreaterThan(10);
});
