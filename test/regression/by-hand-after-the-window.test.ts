/**
 * Found by the fault simulator (seed 30693, L1): the request for an order was lost, and 50 s later a human closed the position by
 * hand, with the same terms. After the next start the human's order could be ours, since the clock of the earlier process may have been off
 * by 15 s more; the order of unknown outcome was never settled, its symbol stayed shut, and no trade by hand was booked any more. What the
 * exchange accepts, it accepts by the time that was signed, which is on record: no clock of ours makes it later.
 */
import { describe, expect, it } from 'vitest';
import { compareOrders, type CompareRules } from '../../src/reconciler/compare.ts';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';

const SENT = 1_767_227_144_992;
const FENCE_MS = 40_000;
const terms = { market: 'derivative', symbol: 'BTCUSDTPERP', side: 'buy', quantity: '0.01' } as const;

function unknownOrder(offsetMs: number): LocalOrder {
  const how = { type: 'market', timeInForce: 'ioc', price: null, positionSide: 'both', reduceOnly: true } as const;
  const request: OrderRequest = { ...terms, ...how, clientOrderId: 'tw-b19-28' };
  const doubts = { missesFills: false, cancelWanted: false, cancelInFlight: false, absentSince: 0 };
  return {
    strategy: 'maker',
    intentId: 'b19-28',
    state: 'unknown',
    request,
    orderId: undefined,
    sentAt: SENT,
    offsetMs,
    ackedAt: 0,
    ...doubts,
  };
}

/** Without an id, and filled at once. */
function kindsBeside(createdAt: number, ids: CompareRules['ids'], offsetMs = 0): readonly string[] {
  const how = { type: 'market', timeInForce: 'ioc', price: null, positionSide: 'both' } as const;
  const filled = { filledQuantity: '0.01', averagePrice: '78307', status: 'filled' } as const;
  const times = { createdAt, updatedAt: createdAt };
  const report: OrderReport = { ...terms, ...how, ...filled, ...times, orderId: '10267' };
  const costs = { price: '78307', fee: '0.4', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  const fill: VenueFill = { ...terms, ...costs, tradeId: '683', orderId: '10267', ts: createdAt };
  const complete = { kind: 'complete', asOf: SENT + 256_000 } as const;
  const readings = {
    markets: ['spot', 'derivative'] as const,
    active: { ...complete, items: [] },
    history: { ...complete, items: [report] },
    historyFrom: SENT - 180_000,
    trades: { ...complete, items: [fill] },
    tradesFrom: SENT - 180_000,
  };
  const rules: CompareRules = {
    fenceMs: FENCE_MS,
    historyLagMs: 30_000,
    skewMs: 2_000,
    earlier: { until: SENT + 161_000, moreMs: 15_000 },
    ids,
    wasThere: () => false,
    believesSide: () => true,
    offsetMs: 0,
    doubtful: new Set(),
    others: new Set(),
    adopts: false,
  };
  return compareOrders([unknownOrder(offsetMs)], readings, rules).map(({ kind }) => kind);
}

describe.each(['kept', 'absent'] as const)(
  'an order of an earlier process, ids %s, beside one with its terms',
  (ids) => {
    const isTaken = ids === 'kept' ? ['ambiguous', 'external-fill'] : ['report', 'fill'];

    it('is not that one when the exchange could no longer accept it', () => {
      expect(kindsBeside(SENT + FENCE_MS + 1, ids)).toEqual(['external-fill', 'absent']);
      expect(kindsBeside(SENT + 50_008, ids)).toEqual(['external-fill', 'absent']);
    });

    it('may be that one up to then', () => {
      expect(kindsBeside(SENT + FENCE_MS, ids)).toEqual(isTaken);
    });

    it('counts from the time that was signed', () => {
      expect(kindsBeside(SENT + 50_008, ids, 12_000)).toEqual(isTaken);
      expect(kindsBeside(SENT + 30_001, ids, -10_000)).toEqual(['external-fill', 'absent']);
    });
  },
);
