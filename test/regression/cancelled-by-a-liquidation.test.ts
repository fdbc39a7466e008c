/**
 * Found by the fault simulator (futures, seed 24): an order of ours that a liquidation cancelled bears the reason of the
 * liquidation. Where there are no client ids it was taken for the exchange's own order, and ours, of unknown outcome, was
 * proved absent while it was in the history.
 */
import { expect, it } from 'vitest';
import { isLiquidation } from '../../src/spine/external-keys.ts';
import { compareOrders, type CompareRules } from '../../src/reconciler/compare.ts';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';

const terms = { market: 'derivative', symbol: 'BTCUSDTPERP', side: 'sell', positionSide: 'both' } as const;
const limit = { type: 'limit', timeInForce: 'gtc', price: '60000', quantity: '0.05' } as const;
const rules: CompareRules = {
  fenceMs: 35_000,
  skewMs: 2000,
  earlier: { until: 0, moreMs: 0 },
  historyLagMs: 30_000,
  ids: 'absent',
  wasThere: () => false,
  believesSide: () => true,
  offsetMs: 0,
  doubtful: new Set(),
  others: new Set(),
  adopts: false,
};

const request: OrderRequest = { ...terms, ...limit, clientOrderId: 'tw-1' };
const unknown: LocalOrder = {
  intentId: '1',
  strategy: 'maker',
  state: 'unknown',
  request,
  orderId: undefined,
  sentAt: 100_000,
  ackedAt: 0,
  missesFills: false,
  cancelWanted: false,
  cancelInFlight: false,
  absentSince: 0,
};

const cancelled: OrderReport = {
  ...terms,
  ...limit,
  orderId: 'x',
  filledQuantity: '0.02',
  averagePrice: '60000',
  status: 'canceled',
  reason: 'liquidation',
  createdAt: 100_100,
  updatedAt: 120_000,
};

it('claims an order of ours that a liquidation cancelled by its terms', () => {
  const complete = { kind: 'complete', asOf: 200_000 } as const;
  const readings = {
    markets: ['spot', 'derivative'] as const,
    active: { ...complete, items: [] },
    history: { ...complete, items: [cancelled] },
    historyFrom: 0,
    trades: { ...complete, items: [] },
    tradesFrom: 0,
  };
  expect(compareOrders([unknown], readings, rules)).toEqual([{ kind: 'report', intentId: '1', report: cancelled }]);
});

it('knows a liquidation by an order that was not cancelled', () => {
  expect(isLiquidation(cancelled)).toBe(false);
  expect(isLiquidation({ ...cancelled, type: 'market', price: null, status: 'filled' })).toBe(true);
});
