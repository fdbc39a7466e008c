/** A replay by columns is the plain replay: the same fills, answers, marks and prices at the same times, on any tape. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/session/replay/tape-columns.ts';
import { perpetual, spot } from '../../simulation/market.ts';
import { lived, order } from './lived.ts';
import { memoryTape } from './memory-tape.ts';
import { eventsOf, randomMarket } from './random-tape.ts';

const scenario = fc.record({
  /** When a stream is asked for, as a share of the tape; at 0 before it begins. */
  streams: fc.array(
    fc.record({
      at: fc.constantFrom(0, 0, 0.1, 0.5),
      of: fc.constantFrom('samples', 'samples', 'samples', 'rare samples', 'trades' as const),
    }),
    { maxLength: 3 },
  ),
  market: randomMarket,
  orders: fc.array(order, { maxLength: 30, size: 'max' }),
  isPerpetual: fc.boolean(),
  passes: fc.constantFrom(1, 1, 2, 3),
  leverage: fc.constantFrom(1, 20),
  simulation: fc.record({
    exchange: fc.constantFrom('partial-fill', 'no-partial-fill' as const),
    queue: fc.constantFrom('prob', 'risk-averse', 'last' as const),
    latency: fc.constantFrom(
      { entryMs: 0, responseMs: 0 },
      { entryMs: 3, responseMs: 7 },
      { model: 'lognormal' as const, entryMs: 4, responseMs: 4 },
    ),
    nettingWindowMs: fc.constantFrom(0, 30),
  }),
});

describe('a replay by columns', () => {
  it('is the plain replay, on any tape, by any orders', () => {
    let [byColumns, plain] = [0, 0];
    fc.assert(
      fc.property(scenario, (scene) => {
        const instrument = scene.isPerpetual ? perpetual : spot;
        const { passes, market } = scene;
        const tape = memoryTape(eventsOf(market, instrument), { instrument, rule: market.rule, passes });
        const columns = columnsOf(tape);
        if (columns === null) plain++;
        else byColumns++;
        expect(lived(tape, scene, columns)).toBe(lived(tape, scene, null));
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(byColumns).toBeGreaterThan(plain);
  });
});
