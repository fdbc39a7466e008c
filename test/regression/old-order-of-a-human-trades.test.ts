/**
 * Found by the fault simulator (seed 102): history is told by the time of creation, so an order that a human left long ago
 * and that trades today stood in the trades and in no list. Its trade could have been that of an order of unknown outcome on
 * the same side, which therefore stayed unknown for ever, with its risk. Now such a trade makes history be read further back.
 */
import { describe, expect, it } from 'vitest';
import { compareOrders, type CompareRules, type Readings } from '../../src/reconciler/compare.ts';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import { HISTORY_REACH_MS_MAX, further } from '../../src/reconciler/reading-planner.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';

const terms = { market: 'spot', symbol: 'BTCUSDT', side: 'buy' } as const;
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
const limit = { type: 'limit', timeInForce: 'gtc', price: '60000', quantity: '0.05' } as const;

function unknownOrder(): LocalOrder {
  const request: OrderRequest = { ...terms, ...limit, clientOrderId: 'tw-1' };
  const doubts = { missesFills: false, cancelWanted: false, cancelInFlight: false, absentSince: 0 };
  const sentAt = 1_000_000;
  return {
    intentId: '1',
    strategy: 'maker',
    state: 'unknown',
    request,
    orderId: undefined,
    sentAt,
    ackedAt: 0,
    ...doubts,
  };
}

/** A human's order of long ago has the very same terms and trades after ours was sent. */
function readings(isFound: boolean): Readings {
  const times = { createdAt: 10_000, updatedAt: 1_010_000 };
  const filled = { filledQuantity: '0.05', averagePrice: '60000', status: 'filled' } as const;
  const report: OrderReport = { ...terms, orderId: 'old', ...limit, ...filled, ...times };
  const costs = { fee: '1', feeCurrency: 'USDT', liquidity: 'maker' } as const;
  const { price, quantity } = limit;
  const fill: VenueFill = { ...terms, tradeId: 't', orderId: 'old', price, quantity, ...costs, ts: 1_010_000 };
  const complete = { kind: 'complete', asOf: 1_100_000 } as const;
  return {
    markets: ['spot', 'derivative'] as const,
    active: { ...complete, items: [] },
    history: { ...complete, items: isFound ? [report] : [] },
    historyFrom: 0,
    trades: { ...complete, items: [fill] },
    tradesFrom: 0,
  };
}

describe('an old order of a human that trades', () => {
  it('holds back a proof only until it is seen', () => {
    const kinds = (isFound: boolean): unknown =>
      compareOrders([unknownOrder()], readings(isFound), rules).map(({ kind }) => kind);
    expect(kinds(false)).toEqual(['external-fill', 'stray-trade']);
    expect(kinds(true)).toEqual(['external-fill', 'absent']);
  });

  it('makes history be read further back, up to a week', () => {
    let reachMs = 0;
    const reached = Array.from({ length: 8 }, () => {
      reachMs = further(reachMs, HISTORY_REACH_MS_MAX);
      return reachMs / 60_000;
    });
    expect(reached).toEqual([10, 40, 160, 640, 2_560, 10_080, 10_080, 10_080]);
  });
});
