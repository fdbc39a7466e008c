/**
 * Found by the fault simulator (seed 30797, law S4): without client order ids two reductions with the same terms were of unknown outcome,
 * one of 38 s ago that had never arrived and one that an order appeared 38 ms after. The order was claimed for the older one, and
 * the younger, which was at the exchange, was concluded to have never arrived.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import { matchUnknown, type MatchRules } from '../../src/reconciler/match.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';

const FENCE_MS = 40_000;
const terms = { market: 'spot', symbol: 'BTCUSDT', side: 'sell', type: 'market', quantity: '0.01' } as const;
const rules: MatchRules = {
  fenceMs: FENCE_MS,
  skewMs: 2_000,
  earlier: { until: 0, moreMs: 0 },
  wasThere: () => false,
  believesSide: () => true,
  ids: 'absent',
};

function sought(intentId: string, sentAt: number): LocalOrder {
  const request: OrderRequest = { ...terms, timeInForce: 'ioc', price: null, clientOrderId: `tw-${intentId}` };
  const progress = { state: 'unknown', ackedAt: 0, missesFills: false, absentSince: 0 } as const;
  return {
    intentId,
    strategy: 'maker',
    request,
    sentAt,
    orderId: undefined,
    cancelWanted: false,
    cancelInFlight: false,
    ...progress,
  };
}

function shown(orderId: string, createdAt: number): OrderReport {
  const filled = { status: 'filled', filledQuantity: '0.01', averagePrice: '60000', updatedAt: createdAt } as const;
  return { ...terms, orderId, timeInForce: 'ioc', price: null, createdAt, ...filled };
}

const claimed = (orders: readonly LocalOrder[], reports: readonly OrderReport[]) =>
  matchUnknown(orders, reports, rules).claims.map(({ intentId, report }) => `${intentId}: ${report.orderId}`);

it('takes an order that has just been made for the one that has just left', () => {
  const orders = [sought('older', 100_000), sought('younger', 138_300)];
  expect(claimed(orders, [shown('o1', 138_338)])).toEqual(['younger: o1']);
  expect(claimed(orders, [shown('o1', 100_040)])).toEqual(['older: o1']);
  expect(claimed(orders, [shown('o1', 138_310), shown('o2', 138_338)]).sort()).toEqual(['older: o1', 'younger: o2']);
});

it('leaves no order without its intent, however long each was on its way', () => {
  const sent = fc.array(fc.record({ sentAt: fc.nat(120_000), tookMs: fc.nat(FENCE_MS), arrives: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(sent, (orders) => {
      const local = orders.map(({ sentAt }, index) => sought(`i${index}`, 1_000_000 + sentAt));
      const arrived = orders.flatMap(({ sentAt, tookMs, arrives }, index) =>
        arrives ? [shown(`o${index}`, 1_000_000 + sentAt + tookMs)] : [],
      );
      expect(claimed(local, arrived)).toHaveLength(arrived.length);
    }),
  );
});
