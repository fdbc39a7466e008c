/**
 * Found by the fault simulator (futures with programs, seed 64000195, law F1): the clock of the exchange was ahead of the
 * session's, so that the real time of a trade was unknown, and the list of ended orders lagged or could not be read. Two looks
 * at once were taken for proof that its order is in no history, one of them unread: a liquidation was booked as a trade of
 * others.
 */
import { expect, it } from 'vitest';
import type { Reading } from '../../src/model/result.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { HistoryRequest } from '../../src/model/venue.ts';
import { bought, positionMoves } from '../execution/perpetual-rig.ts';
import { PERP, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const AHEAD_MS = 600_000;

/** 0.1 is sold by an order that no list shows yet. Returns its report. */
function soldAhead({ venue, clock }: Rig): OrderReport {
  const now = clock.now();
  const ts = now + AHEAD_MS;
  const terms = {
    orderId: 'x',
    symbol,
    market: 'derivative',
    side: 'sell',
    quantity: '0.1',
    positionSide: 'both',
  } as const;
  const costs = { price: '60000', fee: '0.1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  venue.trades.push({ ...terms, ...costs, tradeId: 't', ts });
  venue.positionsNow = [];
  const state = { filledQuantity: '0.1', averagePrice: '60000', status: 'filled', reason: 'liquidation' } as const;
  return { ...terms, ...state, createdAt: now, updatedAt: now, type: 'market', timeInForce: 'ioc', price: null };
}

/** The list of trades shows what is dated ahead, too. */
function showAhead({ venue, clock }: Rig): void {
  const ownTrades = async ({ from }: HistoryRequest): Promise<Reading<VenueFill>> => {
    const items = venue.trades.filter(({ ts, market }) => market === 'derivative' && ts >= from);
    return { kind: 'complete', asOf: clock.now(), items };
  };
  Object.assign(venue, { query: { ...venue.query, ownTrades } });
}

it('waits until a history must show its order', async () => {
  const { rig } = await bought();
  showAhead(rig);
  const order = soldAhead(rig);
  await rig.clock.advanceAsync(25_000, 1000);
  expect(positionMoves(rig)).toEqual([]);
  rig.venue.orders.set(order.orderId, order);
  await rig.clock.advanceAsync(400_000, 1000);
  expect(positionMoves(rig)).toEqual(['maker 0.1']);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
});

it('takes no history that cannot be read for one without the order', async () => {
  const { rig } = await bought();
  showAhead(rig);
  const order = soldAhead(rig);
  let readings = 0;
  const { query } = rig.venue;
  const once = async (request: HistoryRequest): Promise<Reading<OrderReport>> =>
    readings++ === 0 ? query.orderHistory(request) : { kind: 'failed', asOf: rig.clock.now(), reason: 'test' };
  Object.assign(rig.venue, { query: { ...query, orderHistory: once } });
  await rig.clock.advanceAsync(120_000, 1000);
  expect(readings).toBeGreaterThan(3);
  expect(positionMoves(rig)).toEqual([]);
  Object.assign(rig.venue, { query });
  rig.venue.orders.set(order.orderId, order);
  await rig.clock.advanceAsync(400_000, 1000);
  expect(positionMoves(rig)).toEqual(['maker 0.1']);
});

it('is one of others once two histories that must show the order do not', async () => {
  const { rig } = await bought();
  showAhead(rig);
  soldAhead(rig);
  await rig.clock.advanceAsync(120_000, 1000);
  expect(positionMoves(rig)).toEqual(['trade of others -0.1']);
});
