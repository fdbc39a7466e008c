/**
 * Found by the fault simulator (futures, seeds 8 and 59): what a human traded in a perpetual was a difference of the position
 * that an order of theirs in the same reading excused, and else closed the symbol for ever; the part of a liquidation that
 * was not ours was booked nowhere. Each trade of others is booked exactly and once now, as on spot.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { byHand, decided, held, liquidates } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

async function started(): Promise<Rig> {
  const rig = makeRig();
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  return rig;
}

function adjusted(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.subject === 'position' && entry.quantity !== '0'
      ? [`${entry.cause} ${entry.quantity}`]
      : [],
  );
}

it('books each trade of others in a perpetual once', async () => {
  const rig = await started();
  byHand(rig, 'h1', 'buy', '0.3');
  rig.venue.positionsNow = [held('0.3')];
  await rig.clock.advanceAsync(60_000, 1000);
  byHand(rig, 'h2', 'sell', '0.3');
  rig.venue.positionsNow = [];
  await rig.clock.advanceAsync(400_000, 1000);
  expect(adjusted(rig)).toEqual(['trade of others 0.3', 'trade of others -0.3']);
  expect(alarms(rig)).toEqual([]);
});

it('waits for the orders that ended, which show a liquidation', async () => {
  const rig = await started();
  rig.venue.readable.orderHistory = 'failed';
  byHand(rig, 'h1', 'buy', '0.3');
  rig.venue.positionsNow = [held('0.3')];
  await rig.clock.advanceAsync(300_000, 1000);
  expect(adjusted(rig)).toEqual([]);
  rig.venue.readable.orderHistory = 'complete';
  await rig.clock.advanceAsync(60_000, 1000);
  expect(adjusted(rig)).toEqual(['trade of others 0.3']);
});

it('asks whose a liquidation was of our own and of what others held', async () => {
  const rig = await started();
  byHand(rig, 'h1', 'buy', '0.3');
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '0.1', '60000');
  rig.venue.positionsNow = [held('0.4')];
  await rig.clock.advanceAsync(60_000, 1000);
  liquidates(rig, 'sell', '0.4');
  rig.venue.positionsNow = [];
  await rig.clock.advanceAsync(400_000, 1000);
  expect(adjusted(rig)).toEqual(['trade of others 0.3', 'liquidation of several -0.4']);
  expect(alarms(rig)).toEqual(['liquidated', 'undivided']);
  expect(decided(rig, 'pro-rata')).toEqual(['maker 0.1', 'others 0.3']);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
});
