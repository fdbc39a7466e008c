/** A spot set-up on the rig: a process whose account is known and whose maker has bought 0.1 for 6,000 USDT. */
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import { BTC, makeRig, trading, type Rig } from './rig.ts';

const reconcile = { historyLagMs: 5_000, intervalMs: 1_000, urgentIntervalMs: 1_000 };

export async function boughtSpot(): Promise<{ readonly rig: Rig; readonly reconciler: Reconciler }> {
  const rig = makeRig({ reconcile });
  const { venue, clock, executor } = rig;
  const reconciler = createReconciler(executor, { markets: ['spot'] });
  reconciler.start();
  await clock.advanceAsync(1_000);
  executor.submit('maker', { kind: 'place', symbol: BTC.symbol, side: 'buy', type: 'market', quantity: '0.1' });
  for (const { orderId } of venue.resting()) venue.tellFill(orderId, '0.1', '60000');
  venue.balancesNow = [trading('USDT', '994000'), trading('BTC', '10.1')];
  await clock.advanceAsync(20_000);
  return { rig, reconciler };
}
