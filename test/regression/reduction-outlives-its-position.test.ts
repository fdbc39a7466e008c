/**
 * Found by the fault simulator (futures, seed 19): an order that was to reduce a position rested on when another order had
 * closed it. Spot knows no reduce-only: had it traded, it would have opened what no limit and no gate had judged.
 */
import { expect, it } from 'vitest';
import { makeRig, type Rig } from '../execution/rig.ts';

const symbol = 'BTCUSDT';

function filled(rig: Rig, side: 'buy' | 'sell', quantity: string): void {
  const known = new Set(rig.venue.resting().map(({ orderId }) => orderId));
  rig.executor.submit('maker', { kind: 'place', symbol, side, type: 'market', quantity });
  for (const { orderId } of rig.venue.resting())
    if (!known.has(orderId)) rig.venue.tellFill(orderId, quantity, '60000');
}

function reduce(rig: Rig, ref: string, quantity: string): void {
  const terms = { side: 'sell', type: 'limit', price: '61000', reduceOnly: true } as const;
  rig.executor.submit('maker', { kind: 'place', symbol, ref, quantity, ...terms });
}

function resting(rig: Rig): string[] {
  return rig.executor
    .account('maker')
    .openOrders(symbol)
    .map(({ ref, state }) => `${ref} ${state}`);
}

it('cancels the reductions for which no position is left, the newest first', () => {
  const rig = makeRig();
  filled(rig, 'buy', '0.1');
  reduce(rig, 'old', '0.04');
  reduce(rig, 'new', '0.05');
  expect(resting(rig)).toEqual(['old open', 'new open']);
  filled(rig, 'sell', '0.03');
  expect(resting(rig)).toEqual(['old open']);
  filled(rig, 'sell', '0.05');
  expect(resting(rig)).toEqual([]);
});

it('leaves a reduction alone that brings its position down itself', () => {
  const rig = makeRig();
  filled(rig, 'buy', '0.1');
  reduce(rig, 'own', '0.1');
  const [order] = rig.venue.resting();
  rig.venue.tellFill(order?.orderId ?? '', '0.04', '61000');
  expect(resting(rig)).toEqual(['own partially_filled']);
});
