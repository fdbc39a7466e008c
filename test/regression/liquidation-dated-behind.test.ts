/**
 * Found by the fault simulator (seed 122523 and world 3000359, law F1): the clock of the exchange went back by four minutes, and what others had opened
 * was liquidated at once. By the time that it bore, a strategy had held the position, which it had closed long since: it was booked to
 * that one. Two could have held it then, so that a human decides.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { byHand, decided, held, liquidates, liquidationParts, trades } from '../execution/perpetual-rig.ts';
import { makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

/** The maker is short of 0.02 for a minute, and flat since `flatMs`. */
async function wasShort(flatMs = 61_000): Promise<Rig> {
  const rig = makeRig({ specs: [PERP] });
  const { venue, clock, executor } = rig;
  createReconciler(executor).start();
  await settle();
  await clock.advanceAsync(61_000, 1000);
  trades(rig, 'maker', 'sell', '0.02');
  venue.positionsNow = [held('-0.02')];
  await clock.advanceAsync(61_000, 1000);
  trades(rig, 'maker', 'buy', '0.02');
  venue.positionsNow = [];
  await clock.advanceAsync(flatMs, 1000);
  return rig;
}

it('is to be decided where others traded, and not booked to who held it when it says that it was', async () => {
  const rig = await wasShort();
  byHand(rig, 'h1', 'sell', '0.02', { agoMs: 90_000 });
  byHand(rig, 'l1', 'buy', '0.02', { orderId: 'liq', agoMs: 90_000 });
  liquidates(rig, 'buy', '0.02');
  rig.venue.trades.pop();
  await rig.clock.advanceAsync(180_000, 1000);
  expect(liquidationParts(rig)).toEqual([]);
  expect(decided(rig, 'none')).toEqual(['maker 0.02', 'others 0.02']);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
});

it('is to be decided where one strategy held it then and another holds it now', async () => {
  const rig = await wasShort();
  trades(rig, 'taker', 'sell', '0.02');
  rig.venue.positionsNow = [held('-0.02')];
  await rig.clock.advanceAsync(61_000, 1000);
  rig.venue.positionsNow = [];
  byHand(rig, 'l1', 'buy', '0.02', { orderId: 'liq', agoMs: 150_000 });
  liquidates(rig, 'buy', '0.02');
  rig.venue.trades.pop();
  await rig.clock.advanceAsync(180_000, 1000);
  expect(liquidationParts(rig)).toEqual([]);
  expect(decided(rig, 'all:taker')).toEqual(['maker 0.02', 'taker 0.02']);
  expect(liquidationParts(rig)).toEqual(['taker 0.02']);
});

it('is to be decided where one closed it seconds before it was pushed', async () => {
  const rig = await wasShort(20_000);
  trades(rig, 'taker', 'sell', '0.02');
  await rig.clock.advanceAsync(6_000, 1000);
  liquidates(rig, 'buy', '0.02');
  const fill = { ...rig.venue.trades.pop()!, ts: rig.clock.now() - 50_000 };
  rig.venue.trades.push(fill);
  rig.venue.emit({ kind: 'fill', fill });
  rig.venue.emit({ kind: 'order', order: rig.venue.orders.get('liq')! });
  await rig.clock.advanceAsync(120_000, 1000);
  expect(liquidationParts(rig)).toEqual([]);
  expect(decided(rig, 'all:taker')).toEqual(['maker 0.02', 'taker 0.02']);
  expect(liquidationParts(rig)).toEqual(['taker 0.02']);
});
