/**
 * Without client order ids an order of unknown fate is found by its terms. In hedge mode an order to open one side and one
 * to close the other have the same terms but for the position side, which was not compared: the fill of the one was booked
 * on the position of the other.
 */
import { expect, it } from 'vitest';
import { matchUnknown, type MatchRules } from '../../src/execution/reconcile/match.ts';
import type { LocalOrder } from '../../src/execution/reconcile/local-order.ts';
import type { OrderReport, OrderRequest, PositionSide } from '../../src/model/order.ts';

const terms = { market: 'derivative', symbol: 'BTCUSDTPERP', side: 'buy', type: 'market', quantity: '0.1' } as const;
const rules: MatchRules = {
  fenceMs: 35_000,
  skewMs: 2000,
  earlier: { until: 0, moreMs: 0 },
  ids: 'absent',
  wasThere: () => false,
};

function sought(intentId: string, positionSide: PositionSide, sentAt: number): LocalOrder {
  const request: OrderRequest = { ...terms, timeInForce: 'ioc', price: null, clientOrderId: intentId, positionSide };
  const doubts = { missesFills: false, cancelWanted: false, cancelInFlight: false, absentSince: 0 };
  return { intentId, state: 'unknown', request, orderId: undefined, sentAt, ackedAt: 0, ...doubts };
}

function found(orderId: string, positionSide: PositionSide, createdAt: number): OrderReport {
  const filled = { filledQuantity: '0.1', averagePrice: '60000', status: 'filled' } as const;
  return {
    ...terms,
    orderId,
    timeInForce: 'ioc',
    price: null,
    positionSide,
    createdAt,
    updatedAt: createdAt,
    ...filled,
  };
}

it('takes an order of the other position side for nobody of ours', () => {
  const local = [sought('opens', 'long', 100_000), sought('closes', 'short', 100_100)];
  const { claims, ambiguous } = matchUnknown(
    local,
    [found('v1', 'short', 100_050), found('v2', 'long', 100_200)],
    rules,
  );
  expect(new Map(claims.map(({ intentId, report }) => [intentId, report.orderId]))).toEqual(
    new Map([
      ['closes', 'v1'],
      ['opens', 'v2'],
    ]),
  );
  expect(ambiguous).toEqual([]);
});
