/**
 * Found by the fault simulator (seed 10188, law S4): the clock of the exchange was five minutes behind when an order was signed, by
 * that clock, and traded; the answer was lost. When the exchange had the right time again, the order was looked for around the
 * time at which it was sent by ours, where nothing bears that date: it was concluded to be absent, and the reduction was
 * sent once more. The SENDING row keeps how far apart the clocks were, and the order is looked for by both.
 */
import { describe, expect, it } from 'vitest';
import { compareOrders, type CompareRules } from '../../src/reconciler/compare.ts';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';
import type { HistoryRequest } from '../../src/model/venue.ts';
import { makeRig, settle } from '../execution/rig.ts';

const SENT = 1_767_225_918_000;
const OFFSET = -290_667;

const request: OrderRequest = {
  market: 'spot',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'market',
  timeInForce: 'ioc',
  price: null,
  quantity: '0.04',
  clientOrderId: 'tw-31',
};

const order: LocalOrder = {
  intentId: '31',
  strategy: 'maker',
  state: 'unknown',
  request,
  orderId: undefined,
  sentAt: SENT,
  offsetMs: OFFSET,
  ackedAt: 0,
  missesFills: false,
  cancelWanted: false,
  cancelInFlight: false,
  absentSince: SENT + 60_000,
};

const { clientOrderId: _, ...terms } = request;
const filled = { filledQuantity: '0.04', averagePrice: '60000', status: 'filled' } as const;
const times = { createdAt: SENT + OFFSET + 20, updatedAt: SENT + OFFSET + 20 };
const report: OrderReport = { ...terms, orderId: '1', ...filled, ...times };

const rules: CompareRules = {
  fenceMs: 40_000,
  historyLagMs: 30_000,
  skewMs: 2_000,
  earlier: { until: 0, moreMs: 15_000 },
  ids: 'absent',
  wasThere: () => false,
  believesSide: () => true,
  offsetMs: 0,
  doubtful: new Set(),
  adopts: false,
  others: new Set(),
};

function found(local: LocalOrder, from: number): unknown {
  const complete = { kind: 'complete', asOf: SENT + 150_000 } as const;
  const items = [report].filter(({ createdAt }) => createdAt >= from);
  const none = { ...complete, items: [] };
  const history = { ...complete, items };
  return compareOrders(
    [local],
    {
      markets: ['spot', 'derivative'] as const,
      active: none,
      history,
      historyFrom: from,
      trades: none,
      tradesFrom: from,
    },
    rules,
  ).map(({ kind }) => kind);
}

describe('an order that was signed by a clock of the exchange that was wrong', () => {
  it('is found by that clock, after the exchange has the right time again', () => {
    expect(found(order, SENT + OFFSET - 120_000)).toEqual(['report']);
  });

  it('is not concluded to be absent by a list that begins after that date', () => {
    expect(found(order, SENT - 160_000)).toEqual([]);
    const { offsetMs: __, ...near } = order;
    expect(found(near, SENT - 160_000)).toEqual(['never-arrived']);
  });

  it('has the difference in its SENDING row, and is asked for as far back as that, also by the next process', async () => {
    const rig = makeRig();
    Object.assign(rig.venue, { clockOffsetMs: () => OFFSET });
    const from: number[] = [];
    const readBy = (one: ReturnType<typeof makeRig>): void => {
      const before = one.venue.query;
      const query = {
        ...before,
        orderHistory: (asked: HistoryRequest) => {
          from.push(asked.from);
          return before.orderHistory(asked);
        },
      };
      Object.assign(one.venue, { query });
    };
    rig.executor.submit('maker', {
      kind: 'place',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: '59000',
      quantity: '0.01',
    });
    const sending = [...rig.journal.read()].find(({ entry }) => entry.kind === 'sending');
    expect(sending?.entry).toMatchObject({ offsetMs: OFFSET });
    const sentAt = sending?.ts ?? 0;
    const again = makeRig({ journal: rig.journal, clock: rig.clock, bootId: 'b2' });
    readBy(again);
    createReconciler(again.executor).start();
    await settle();
    await again.clock.advanceAsync(1000, 500);
    expect(from.length).toBeGreaterThan(0);
    expect(Math.max(...from)).toBeLessThanOrEqual(sentAt + OFFSET - 40_000);
  });
});
