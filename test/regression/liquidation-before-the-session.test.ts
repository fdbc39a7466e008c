/**
 * Found by a stranger: each new live session said of a liquidation of an earlier one that the exchange liquidates, as if it were
 * now, on an account without a position.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { liquidates } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP } from '../execution/rig.ts';

it.each([
  ['before a new session is none of it', -40_000, []],
  ['while it runs rings, also where nobody of it held anything', 20_000, [expect.stringContaining('liquidate')]],
] as const)('%s', async (_, agoMs, expected) => {
  const rig = makeRig({ specs: [PERP] });
  const { clock, executor, venue } = rig;
  const happened = (): void => {
    liquidates(rig, 'sell', '0.5');
    const [order] = venue.orders.values();
    const at = clock.now() + Math.min(agoMs, 0);
    venue.orders.set('liq', { ...order!, createdAt: at, updatedAt: at });
    venue.trades.push({ ...venue.trades.pop()!, ts: at });
  };
  if (agoMs < 0) happened();
  createReconciler(executor).start();
  await clock.advanceAsync(20_000, 1000);
  if (agoMs > 0) happened();
  await clock.advanceAsync(120_000, 1000);
  expect(alarms(rig).filter((alarm) => alarm.includes('liquidat'))).toEqual(expected);
});
