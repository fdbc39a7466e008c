/**
 * A withdrawal by hand was not booked while an order was of unknown outcome, and that order was not concluded while the balance
 * differed: both waited for each other for ever. Found by the fault simulator (seed 53279, law L1).
 */
import { expect, it } from 'vitest';
import { alarms, trading } from '../execution/rig.ts';
import { boughtSpot } from '../execution/spot-rig.ts';

const symbol = 'BTCUSDT';

it('is booked, and the order is concluded', async () => {
  const { rig, reconciler } = await boughtSpot();
  const { venue, clock, executor } = rig;
  venue.balancesNow = [trading('USDT', '993435'), trading('BTC', '10.1')];
  venue.readable.movements = 'failed';
  await clock.advanceAsync(20_000);
  expect(reconciler.gate.closedBecause(symbol)?.reason).toBe('position_mismatch');
  venue.createMode = 'never-arrives';
  executor.submit('maker', { kind: 'flatten', symbol });
  expect(executor.unresolvedCount()).toBe(1);
  venue.createMode = 'accept';
  const row = { id: 'tx1', type: 'withdrawal', account: 'unified-trading', currency: 'USDT', amount: '565' } as const;
  venue.movementsNow = [{ ...row, ts: clock.now() - 20_000 }];
  venue.readable.movements = 'complete';
  await clock.advanceAsync(90_000, 1_000);
  expect(executor.unresolvedCount()).toBe(0);
  expect(reconciler.gate.closedBecause(symbol)).toBeNull();
  expect(alarms(rig)).toEqual(['balance_residual']);
  reconciler.stop();
});
