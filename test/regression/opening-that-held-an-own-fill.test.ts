/**
 * Found by the simulator (seed 83000659): a side of a hedge was opened with the first quantity that was seen there. It was that of an
 * own fill which the list of trades did not show yet, and so counted twice.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { held } from '../execution/perpetual-rig.ts';
import { makeRig, PERP } from '../execution/rig.ts';

it('account/opening/of-a-side-that-was-empty-is-nothing', async () => {
  const rig = makeRig({ specs: [PERP] });
  const { clock, executor, venue } = rig;
  const { symbol } = PERP;
  createReconciler(executor).start();
  await clock.advanceAsync(2_000, 100);
  const place = { kind: 'place', symbol, side: 'sell', type: 'limit', price: '60100', quantity: '0.5' } as const;
  executor.submit('maker', { ...place, positionSide: 'short' });
  const [order] = venue.resting();
  expect(order).toBeDefined();
  venue.positionsNow = [{ ...held('0.5'), positionSide: 'short' }];
  await clock.advanceAsync(11_000, 100);
  venue.tellFill(order!.orderId, '0.5', '60100');
  await clock.advanceAsync(120_000, 1_000);
  expect(executor.state.explainedPosition(`${symbol}/short`).toFixed()).toBe('-0.5');
  expect(rig.events.flatMap((event) => (event.kind === 'alarm' ? [event.code] : []))).toEqual([]);
});
