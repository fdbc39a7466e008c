/**
 * Found by mutants of perpetuals that nobody saw any more: since a limit on gross value stood in the simulated world, no
 * perpetual was traded there. A start opens every perpetual with what is held, mostly nothing; nothing of a symbol without a
 * price was an unknown value, and an unknown value denies all new risk.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { denials, makeRig, PERP } from '../execution/rig.ts';

it('values nothing for a perpetual that nobody holds', async () => {
  const rig = makeRig({
    specs: [PERP, { ...PERP, symbol: 'ETHUSDTPERP', base: 'ETH' }],
    risk: { maxGrossValue: '100000', maxNetValue: '100000' },
  });
  const mid = rig.market.mid.bind(rig.market);
  rig.market.mid = (symbol: string = PERP.symbol) => (symbol === PERP.symbol ? mid() : undefined);
  createReconciler(rig.executor).start();
  await rig.clock.advanceAsync(61_000, 1_000);
  rig.executor.submit('maker', { kind: 'target', symbol: PERP.symbol, quantity: '0.01', positionSide: 'both' });
  expect(denials(rig)).toEqual([]);
  expect(rig.venue.creates()).toHaveLength(1);
});
