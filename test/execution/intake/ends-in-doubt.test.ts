/** Ends that were asked for, before and after the exchange has called an order over that rested. */
import { expect, it } from 'vitest';
import type { Action } from '../../../src/model/trading/action.ts';
import { createReconciler } from '../../../src/reconciler/reconciler.ts';
import { alarms, BTC, denials, makeRig, type Rig } from '../rig.ts';

function bid(ref: string): Action {
  return { kind: 'place', symbol: BTC.symbol, side: 'buy', type: 'limit', price: '59000', quantity: '0.001', ref };
}

async function started(): Promise<Rig> {
  const rig = makeRig({ specs: [BTC] });
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await rig.clock.advanceAsync(5_000, 1000);
  return rig;
}

/** Placed, cancelled, and the next one in the same moment. */
function replaced({ executor }: Rig, ref: string, next: string): void {
  executor.submit('maker', bid(ref));
  executor.submit('maker', { kind: 'cancel', ref });
  expect(
    executor
      .account('maker')
      .openOrders()
      .map((order) => order.ref),
  ).not.toContain(ref);
  executor.submit('maker', bid(next));
}

it('an end that was asked for frees its room at once', async () => {
  const rig = await started();
  replaced(rig, 'a', 'b');
  expect(denials(rig)).toEqual([]);
});

it('for an hour after a false end in its symbol it waits for the next comparison', async () => {
  const rig = await started();
  const { executor, venue, clock } = rig;
  executor.submit('maker', bid('lied-about'));
  const [order] = venue.resting();
  if (order === undefined) throw new Error('no order');
  venue.emit({ kind: 'order', order: { ...order, status: 'canceled' } });
  await clock.advanceAsync(90_000, 1000);
  expect([alarms(rig), venue.resting(), denials(rig)]).toEqual([['contradiction'], [], []]);
  replaced(rig, 'a', 'b');
  expect(denials(rig)).toEqual(['not_reconciled']);
  await clock.advanceAsync(5_000, 500);
  executor.submit('maker', bid('c'));
  expect(denials(rig)).toEqual(['not_reconciled']);
  await clock.advanceAsync(3_600_000, 60_000);
  replaced(rig, 'd', 'e');
  expect(denials(rig)).toEqual(['not_reconciled']);
});

it('while a list shows an order that was called over its symbol is shut', async () => {
  const rig = await started();
  const { executor, venue, clock } = rig;
  executor.submit('maker', bid('lied-about'));
  const [order] = venue.resting();
  if (order === undefined) throw new Error('no order');
  venue.emit({ kind: 'order', order: { ...order, status: 'canceled' } });
  // Long after a comparison, which may have seen lists that lag.
  await clock.advanceAsync(15_000, 1000);
  executor.submit('maker', bid('a'));
  expect(denials(rig)).toEqual(['not_reconciled']);
});
