/**
 * A process whose clock was found to be 2.7 s ahead sent an order and died; the next one, with a good clock, looked for it
 * from 2 s before "its" time on, did not know it for its own, and concluded that it had never arrived. Found by the
 * simulator (S4).
 */
import { describe, expect, it } from 'vitest';
import { compareOrders, type CompareRules } from '../../src/reconciler/compare.ts';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';

const SENT = 1_767_227_088_816;
const CREATED = SENT - 2_667;

const request: OrderRequest = {
  market: 'spot',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '59889.92',
  quantity: '0.01',
  clientOrderId: 'tw-b24-619',
};

const order: LocalOrder = {
  intentId: 'b24-619',
  strategy: 'maker',
  state: 'unknown',
  request,
  orderId: undefined,
  sentAt: SENT,
  ackedAt: 0,
  missesFills: false,
  cancelWanted: false,
  cancelInFlight: false,
  absentSince: SENT + 60_000,
};

const { clientOrderId: _, ...terms } = request;
const report: OrderReport = {
  ...terms,
  orderId: '26719',
  filledQuantity: '0.01',
  averagePrice: '59889.92',
  status: 'filled',
  createdAt: CREATED,
  updatedAt: CREATED + 1_351,
};

function findings(until: number) {
  const asOf = SENT + 120_000;
  const complete = { kind: 'complete' as const, asOf };
  const readings = {
    markets: ['spot', 'derivative'] as const,
    active: { ...complete, items: [] },
    history: { ...complete, items: [report] },
    historyFrom: SENT - 180_000,
    trades: { ...complete, items: [] },
    tradesFrom: SENT - 180_000,
  };
  const rules: CompareRules = {
    fenceMs: 40_000,
    historyLagMs: 30_000,
    skewMs: 2_000,
    earlier: { until, moreMs: 15_000 },
    ids: 'absent',
    wasThere: () => false,
    believesSide: () => true,
    offsetMs: 0,
    doubtful: new Set(),
    others: new Set(),
    adopts: false,
  };
  return compareOrders([order], readings, rules);
}

describe('an order that an earlier process sent', () => {
  it('is looked for as far back as that process may have been ahead', () => {
    expect(findings(SENT + 5_000)).toEqual([{ kind: 'report', intentId: 'b24-619', report }]);
  });

  // Of futures seed 213: the clock was 2.06 s ahead when the order was sent, and better known when it was looked for.
  it('is looked for as far back as its signature could have been accepted when this process sent it', () => {
    expect(findings(SENT - 5_000)).toEqual([{ kind: 'report', intentId: 'b24-619', report }]);
  });
});
