/**
 * Found by the fault simulator (a perpetual beside a lost journal, seed 2082, law F1): liquidations of minutes ago, read only now,
 * were booked to a strategy that had opened its position seconds before, on a side of which no opening was taken over yet.
 */
import { expect, it } from 'vitest';
import { alarms, makeRig, PERP, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;

function bought(rig: Rig): void {
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.1' });
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '0.1', '60000');
}

function liquidates(rig: Rig, ts: number): void {
  const terms = { orderId: 'liq', market: 'derivative', symbol, side: 'sell', quantity: '0.1' } as const;
  const how = { type: 'market', timeInForce: 'ioc', price: null, positionSide: 'both' } as const;
  const state = { filledQuantity: '0.1', averagePrice: '50000', status: 'filled', reason: 'liquidation' } as const;
  rig.venue.emit({ kind: 'order', order: { ...terms, ...how, ...state, createdAt: ts, updatedAt: ts } });
  const costs = { price: '50000', fee: '1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  rig.venue.emit({ kind: 'fill', fill: { tradeId: 'l1', ...terms, positionSide: 'both', ...costs, ts } });
}

const held = (rig: Rig): string => rig.executor.account('maker').position(symbol).quantity;

it.each([
  ['before it was opened', -60_000, '0.1', ['liquidated']],
  ['dated just before, as by another clock of the exchange', -10_000, '0', ['liquidated']],
  ['after it was opened', 1, '0', ['liquidated']],
])('a liquidation %s', (_, laterMs, left, rung) => {
  const rig = makeRig({ specs: [PERP] });
  bought(rig);
  liquidates(rig, rig.clock.now() + laterMs);
  expect([held(rig), alarms(rig)]).toEqual([left, rung]);
});

it('before a position was turned over', async () => {
  const rig = makeRig({ specs: [PERP] });
  bought(rig);
  await rig.clock.advanceAsync(60_000, 1000);
  const before = rig.clock.now();
  rig.executor.submit('maker', { kind: 'flatten', symbol });
  for (const { orderId } of rig.venue.resting()) rig.venue.tellFill(orderId, '0.1', '60000');
  await rig.clock.advanceAsync(60_000, 1000);
  bought(rig);
  liquidates(rig, before);
  expect(held(rig)).toBe('0.1');
});
