/**
 * Found by the fault simulator (seeds 34113 and 35481, law L1): what a strategy held had been closed by hand while nothing ran. The
 * start doubted for two minutes that the position was gone, as it should, and let the strategy open more of it meanwhile, which
 * is new risk on a position that was not reconciled, and kept the difference moving so that it was never taken over.
 */
import { expect, it } from 'vitest';
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import { bought, held, liquidates } from '../execution/perpetual-rig.ts';
import { alarms, BTC, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

/** A process that holds 0.1 has died; another starts on its journal, and this is what the exchange shows. */
async function startedAgain(quantity: string | null): Promise<{ readonly rig: Rig; readonly reconciler: Reconciler }> {
  const before = await bought();
  before.reconciler.stop();
  const { journal, venue, clock } = before.rig;
  venue.positionsNow = quantity === null ? [] : [held(quantity)];
  const rig = makeRig({ specs: [BTC, PERP], journal, venue, clock, bootId: 'b1_2' });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await clock.advanceAsync(10_000, 1000);
  return { rig, reconciler };
}

it('takes no new risk until it is taken over that the position is gone', async () => {
  const { rig, reconciler } = await startedAgain(null);
  expect(reconciler.gate.closedBecause(symbol)?.reason).toBe('not_reconciled');
  expect(reconciler.gate.closedBecause(BTC.symbol)).toBeNull();
  await rig.clock.advanceAsync(100_000, 1000);
  expect(reconciler.gate.closedBecause(symbol)?.reason).toBe('not_reconciled');
  await rig.clock.advanceAsync(90_000, 1000);
  expect(alarms(rig)).toEqual(['position_residual']);
  expect(reconciler.gate.closedBecause(symbol)).toBeNull();
  reconciler.stop();
});

it('takes no new risk while the position is another than the journal says', async () => {
  const { rig, reconciler } = await startedAgain('0.04');
  expect(reconciler.gate.closedBecause(symbol)?.reason).toBe('not_reconciled');
  await rig.clock.advanceAsync(60_000, 1000);
  expect(alarms(rig)).toEqual(['position_residual']);
  expect(reconciler.gate.closedBecause(symbol)).toBeNull();
  reconciler.stop();
});

it('goes on at once when the exchange shows what the journal says', async () => {
  const { rig, reconciler } = await startedAgain('0.1');
  expect(reconciler.gate.closedBecause(symbol)).toBeNull();
  expect(alarms(rig)).toEqual([]);
  reconciler.stop();
});

it('goes on when a side of a hedge was liquidated and no list shows it any more', async () => {
  const first = makeRig({ specs: [PERP] });
  const before = createReconciler(first.executor);
  before.start();
  await first.clock.advanceAsync(61_000, 1000);
  const { journal, venue, clock } = first;
  first.executor.submit('maker', { kind: 'target', symbol, quantity: '0.1', positionSide: 'long' });
  for (const { orderId } of venue.resting()) venue.tellFill(orderId, '0.1', '60000');
  before.stop();
  liquidates(first, 'sell', '0.1');
  venue.trades.push({ ...venue.trades.pop()!, positionSide: 'long' });
  venue.orders.set('liq', { ...venue.orders.get('liq')!, positionSide: 'long' });
  const rig = makeRig({ specs: [BTC, PERP], journal, venue, clock, bootId: 'b1_2' });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await clock.advanceAsync(70_000, 1000);
  expect(alarms(rig)).toEqual(['liquidated']);
  expect(rig.executor.account('maker').position(symbol, 'long').quantity).toBe('0');
  expect(reconciler.gate.closedBecause(symbol)).toBeNull();
  reconciler.stop();
});
