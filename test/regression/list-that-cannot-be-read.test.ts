/**
 * Found by a stranger: one list with a row that could not be read ended every comparison. A start waited for ever, and a running
 * session went on opening positions, both without a word.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { Action } from '../../src/model/trading/action.ts';
import { alarms, BTC, denials, makeRig, type Rig } from '../execution/rig.ts';

const { symbol } = BTC;

function started(): Rig {
  const rig = makeRig({ specs: [BTC], limits: { maxPosition: '1' } });
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  return rig;
}

function bid(price: string): Action {
  return { kind: 'place', symbol, side: 'buy', type: 'limit', price, quantity: '0.001' };
}

function denialOf(rig: Rig, price: string): readonly string[] {
  const before = denials(rig).length;
  rig.executor.submit('maker', bid(price));
  return denials(rig).slice(before);
}

it.each(['activeOrders', 'ownTrades', 'balances'] as const)('%s: new risk stops, and it rings once', async (list) => {
  const rig = started();
  await rig.clock.advanceAsync(5_000, 1000);
  expect(denialOf(rig, '59000')).toEqual([]);
  rig.venue.readable[list] = 'failed';
  await rig.clock.advanceAsync(50_000, 1000);
  expect(denialOf(rig, '59001')).toEqual([]);
  await rig.clock.advanceAsync(60_000, 1000);
  expect(denialOf(rig, '59002')).toEqual(['not_reconciled']);
  expect(alarms(rig)).toEqual(['comparison_failing']);
  rig.venue.readable[list] = 'complete';
  await rig.clock.advanceAsync(20_000, 1000);
  expect(denialOf(rig, '59003')).toEqual([]);
  expect(alarms(rig)).toEqual(['comparison_failing']);
});

it('rings at a start that cannot compare', async () => {
  const rig = makeRig({ specs: [BTC] });
  rig.venue.readable.activeOrders = 'failed';
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await rig.clock.advanceAsync(90_000, 1000);
  expect(alarms(rig)).toEqual(['comparison_failing']);
  expect(rig.events.flatMap((event) => (event.kind === 'alarm' ? [event.message] : []))[0]).toMatch(
    /^the account could not be compared with the exchange since .*: active orders: failed, unreachable$/,
  );
});

it('looks for the trades of an order that was answered as filled, without waiting for the next turn', async () => {
  const rig = started();
  await rig.clock.advanceAsync(5_000, 1000);
  rig.venue.createMode = 'hold';
  rig.executor.submit('maker', bid('60000'));
  const [request] = rig.venue.creates();
  const order = rig.venue.arrive(request!);
  rig.venue.fill(order.orderId, '0.001', '60000');
  const intentId = rig.venue.sent[0]!.intentId;
  rig.venue.answer(intentId, { kind: 'accepted', order: { ...order, status: 'filled', filledQuantity: '0.001' } });
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  await rig.clock.advanceAsync(2_500, 250);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0.001');
});
