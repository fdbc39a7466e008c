/**
 * Found by the fault simulator (seed 1073 with a perpetual, law L1): a session that had traded spot alone until then took the fee of
 * a perpetual that a human traded for money that was gone without a reason, and shut the spot symbol for ever. The currency that a
 * perpetual settles in moves without a name as soon as anybody trades or holds it.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { byHand, held } from '../execution/perpetual-rig.ts';
import { alarms, BTC, makeRig, PERP, settle, trading, type Rig } from '../execution/rig.ts';

async function afterASpotTrade(): Promise<Rig> {
  const rig = makeRig({ specs: [BTC, PERP] });
  createReconciler(rig.executor).start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  rig.executor.submit('maker', { kind: 'place', symbol: BTC.symbol, side: 'sell', type: 'market', quantity: '1' });
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '1', '60000');
  rig.venue.balancesNow = [trading('USDT', '1060000'), trading('BTC', '9')];
  await rig.clock.advanceAsync(61_000, 1000);
  expect(alarms(rig)).toEqual([]);
  return rig;
}

it('is no loss without a reason', async () => {
  const rig = await afterASpotTrade();
  byHand(rig, 'h1', 'buy', '0.3');
  rig.venue.positionsNow = [held('0.3')];
  rig.venue.balancesNow = [trading('USDT', '1059999.9'), trading('BTC', '9')];
  await rig.clock.advanceAsync(300_000, 1000);
  expect(alarms(rig)).toEqual([]);
});

it('leaves what is gone without anybody having traded a loss without a reason', async () => {
  const rig = await afterASpotTrade();
  rig.venue.balancesNow = [trading('USDT', '1059999.9'), trading('BTC', '9')];
  await rig.clock.advanceAsync(300_000, 1000);
  expect(alarms(rig)).toEqual(['balance_residual']);
});
