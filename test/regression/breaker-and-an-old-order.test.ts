/**
 * An order of unknown outcome that turned out to have been accepted long ago closed the breaker against reject loops: what was
 * refused three times since was tried again at once. Found by the fault simulator (futures, seed 76633, law R2).
 */
import { expect, it } from 'vitest';
import { Refusals } from '../../src/risk/counters.ts';

it('stays open when the fate of an order from before is learned, and closes with one that was sent since', () => {
  const order = { strategy: 'maker', side: 'buy', instrument: { symbol: 'BTCUSDT' }, exits: false, lots: 5 };
  const breaker = new Refusals();
  for (const at of [1000, 2000, 3000]) breaker.rejected(order, order.lots, 'illegal_transition', at);
  breaker.accepted(order, 500);
  expect(breaker.blocking(order, 3, 60_000, 3100)?.count).toBe(3);
  expect(breaker.blocking(order, 3, 60_000, 63_000)).toBeUndefined();
  breaker.accepted(order, 3050);
  expect(breaker.blocking(order, 3, 60_000, 3100)).toBeUndefined();
});
