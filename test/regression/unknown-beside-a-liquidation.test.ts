/**
 * Found by the fault simulator (futures, seed 35): the trade by which the exchange liquidated a position counted as one that
 * an order of unknown outcome could have made, so that such an order of the same side was never proved absent.
 */
import { expect, it } from 'vitest';
import { compareOrders, type CompareRules, type Readings } from '../../src/reconciler/compare.ts';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';

const terms = { market: 'derivative', symbol: 'BTCUSDTPERP', side: 'buy' } as const;
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

function unknownOrder(): LocalOrder {
  const limit = { type: 'limit', timeInForce: 'gtc', price: '60000', quantity: '0.05' } as const;
  const request: OrderRequest = { ...terms, ...limit, clientOrderId: 'tw-1', positionSide: 'both' };
  const doubts = { missesFills: false, cancelWanted: false, cancelInFlight: false, absentSince: 0 };
  return {
    intentId: '1',
    strategy: 'maker',
    state: 'unknown',
    request,
    orderId: undefined,
    sentAt: 100_000,
    ackedAt: 0,
    ...doubts,
  };
}

function readingsOf(reason: string): Readings {
  const times = { createdAt: 120_000, updatedAt: 120_000 };
  const market = { type: 'market', timeInForce: 'ioc', price: null, quantity: '0.12', positionSide: 'both' } as const;
  const filled = { filledQuantity: '0.12', averagePrice: '61000', status: 'filled', reason } as const;
  const report: OrderReport = { ...terms, orderId: 'x', ...market, ...filled, ...times };
  const costs = { fee: '1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  const fill: VenueFill = {
    ...terms,
    tradeId: 't',
    orderId: 'x',
    price: '61000',
    quantity: '0.12',
    ...costs,
    ts: 120_000,
  };
  const complete = { kind: 'complete', asOf: 200_000 } as const;
  return {
    markets: ['spot', 'derivative'] as const,
    active: { ...complete, items: [] },
    // An order of somebody that is too old for the history.
    history: { ...complete, items: reason === 'liquidation' ? [report] : [] },
    historyFrom: 0,
    trades: { ...complete, items: [fill] },
    tradesFrom: 0,
  };
}

it('takes no trade of a liquidation for that of an order of unknown outcome', () => {
  const kinds = compareOrders([unknownOrder()], readingsOf('liquidation'), rules).map(({ kind }) => kind);
  expect(kinds).toEqual(['liquidation', 'external-fill', 'absent']);
});

it('concludes nothing beside a trade that nothing explains', () => {
  const kinds = compareOrders([unknownOrder()], readingsOf('by hand'), rules).map(({ kind }) => kind);
  expect(kinds).toEqual(['external-fill', 'stray-trade']);
});
