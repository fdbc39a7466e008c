/**
 * The entry of a bracket filled before the death, and the lists of the exchange show the fill later than the first comparison.
 * Where the price passed its stop meanwhile the exit is said to be late all the same, and only there.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { bracket } from '../../src/index.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { BTC, HandClock, TestVenue, alarms, makeRig } from '../execution/rig.ts';
import { SYMBOL } from './program-rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const options = { specs: [BTC], risk: { priceCollar: 0.5 }, reconcile: { historyLagMs: 5_000 } };

describe('a stop that was passed while no session ran', () => {
  it.each([
    [0, 59_300, true],
    [4_000, 59_300, true],
    [0, 59_900, false],
    [4_000, 59_900, false],
  ])('is said to be late where the lists lag %d ms and the price is %d: %s', async (lagMs, price, isLate) => {
    const clock = new HandClock();
    const venue = new TestVenue(clock);
    const first = makeRig({ ...options, clock, venue });
    first.executor.submit(
      'maker',
      bracket({
        entry: { symbol: SYMBOL, side: 'buy', type: 'limit', price: 60_000, quantity: '0.02' },
        stopLoss: 59_400,
      }),
    );
    venue.listen(() => {});
    clock.advance(500);
    venue.tellFill(venue.resting()[0]!.orderId, '0.02');
    venue.lagMs = lagMs;

    const second = makeRig({ ...options, clock, venue, journal: first.journal, bootId: 'b2' });
    second.market.move(price);
    const reconciler = createReconciler(second.executor);
    second.executor.goOn('maker');
    reconciler.start();
    cleanups.push(() => reconciler.stop());
    for (let round = 0; round < 20; round++) {
      await clock.advanceAsync(1_000);
      second.market.move(price - round);
    }
    expect(venue.resting().map(({ type, side }) => `${side} ${type}`)).toEqual(isLate ? ['sell market'] : []);
    expect(alarms(second).includes('exit_late')).toBe(isLate);
  });
});
