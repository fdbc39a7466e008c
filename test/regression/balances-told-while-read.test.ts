/**
 * Found by the fault simulator (world 3010497, law F6): the first overview of a process was empty by mistake, the stream told the
 * balances before the other lists were read, and at the end of that run every balance was taken for zero.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { BTC, HandClock, makeRig, PERP, TestVenue, trading } from '../execution/rig.ts';

it('does not take an empty overview for an empty account when the stream has told of balances since', async () => {
  const clock = new HandClock();
  const venue = new TestVenue(clock);
  venue.balancesNow = [];
  const { executor } = makeRig({ specs: [BTC, PERP], clock, venue });
  const reconciler = createReconciler(executor);
  const before = venue.query;
  // Read after the balances.
  const positions = async (): ReturnType<typeof before.positions> => {
    venue.emit({ kind: 'balances', balances: [trading('USDT', '7474')], whole: false });
    return before.positions();
  };
  Object.assign(venue, { query: { ...before, positions } });
  const report = await reconciler.runNow();
  expect(executor.account('maker').balance('USDT').total).toBe('7474');
  expect(report.complete).toBe(false);
  expect(report.failures.join()).toMatch(/the list has no balance/);
});
