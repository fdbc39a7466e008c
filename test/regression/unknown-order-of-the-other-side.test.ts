/**
 * Without client order ids an order of unknown outcome is found by its terms. In hedge mode an order to open one side and one
 * to close the other have the same terms but for the position side, which was not compared: the fill of the one was booked
 * on the position of the other. Nor can a trade of the one side be that of an order of the other: it held back the proof that the
 * order is absent, and waited itself to be booked.
 */
import { expect, it } from 'vitest';
import { compareOrders, type CompareRules } from '../../src/reconciler/compare.ts';
import { matchUnknown, type MatchRules } from '../../src/reconciler/match.ts';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport, OrderRequest, PositionSide } from '../../src/model/trading/order.ts';
import { byHand, held } from '../execution/perpetual-rig.ts';
import { makeRig, PERP, settle } from '../execution/rig.ts';

const terms = { market: 'derivative', symbol: 'BTCUSDTPERP', side: 'buy', type: 'market', quantity: '0.1' } as const;
const rules: MatchRules = {
  fenceMs: 35_000,
  skewMs: 2000,
  earlier: { until: 0, moreMs: 0 },
  ids: 'absent',
  wasThere: () => false,
  believesSide: () => true,
};

function sought(intentId: string, positionSide: PositionSide, sentAt: number): LocalOrder {
  const request: OrderRequest = { ...terms, timeInForce: 'ioc', price: null, clientOrderId: intentId, positionSide };
  const doubts = { missesFills: false, cancelWanted: false, cancelInFlight: false, absentSince: 0 };
  return { intentId, strategy: 'maker', state: 'unknown', request, orderId: undefined, sentAt, ackedAt: 0, ...doubts };
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

/** What is found of an order of the short side beside a trade of nobody's order that names this side. */
function foundBeside(positionSide: PositionSide | undefined): readonly string[] {
  const compared: CompareRules = {
    ...rules,
    historyLagMs: 30_000,
    offsetMs: 0,
    doubtful: new Set(),
    others: new Set(),
    adopts: false,
  };
  const complete = { kind: 'complete', asOf: 200_000 } as const;
  const { market, symbol, side, quantity } = terms;
  const costs = { price: '60000', fee: '1', feeCurrency: 'USDT', liquidity: 'taker' } as const;
  const named = positionSide === undefined ? {} : { positionSide };
  const fill = { market, symbol, side, quantity, tradeId: 't', orderId: 'old', ...costs, ts: 100_050, ...named };
  const readings = {
    markets: ['spot', 'derivative'] as const,
    active: { ...complete, items: [] },
    history: { ...complete, items: [] },
    historyFrom: 0,
    trades: { ...complete, items: [fill] },
    tradesFrom: 0,
  };
  return compareOrders([sought('closes', 'short', 100_000)], readings, compared).map(({ kind }) => kind);
}

it('proves an order absent beside a trade of the other side, and beside no other', () => {
  expect(foundBeside('long')).toEqual(['external-fill', 'absent']);
  for (const side of ['short', 'both', undefined] as const)
    expect(foundBeside(side)).toEqual(['external-fill', 'stray-trade']);
});

it.each([
  { side: 'long', booked: 1 },
  { side: 'short', booked: 0 },
] as const)('books a trade by hand of the $side side while an order of the short side is unknown', async (told) => {
  const rig = makeRig({ specs: [PERP], clientOrderIds: false });
  const { clock, executor, journal, venue } = rig;
  const { symbol } = PERP;
  createReconciler(executor).start();
  await settle();
  venue.positionsNow = [
    { ...held('0.5'), positionSide: 'long' },
    { ...held('0.5'), positionSide: 'short' },
  ];
  await clock.advanceAsync(120_000, 1000);
  const openings = [...journal.read()].filter(
    ({ entry }) => entry.kind === 'adjustment' && entry.subject === 'position',
  );
  expect(openings.length).toBeGreaterThanOrEqual(2);
  venue.createMode = 'never-arrives';
  executor.submit('maker', {
    kind: 'place',
    symbol,
    side: 'sell',
    type: 'market',
    quantity: '0.1',
    positionSide: 'short',
  });
  expect(executor.unresolvedCount()).toBe(1);
  const quantity = '0.2';
  byHand(rig, 'h1', 'sell', quantity);
  const [trade] = venue.trades.slice(-1);
  venue.trades[0] = { ...trade!, positionSide: told.side };
  // Its order is shown: it is no liquidation.
  const now = clock.now();
  const how = { market: 'derivative', type: 'market', timeInForce: 'ioc', price: null, status: 'filled' } as const;
  const filled = { quantity, filledQuantity: quantity, averagePrice: '60000', createdAt: now, updatedAt: now };
  venue.orders.set('of h1', { orderId: 'of h1', symbol, side: 'sell', positionSide: told.side, ...how, ...filled });
  await clock.advanceAsync(20_000, 1000);
  const byOthers = [...journal.read()].filter(
    ({ entry }) => entry.kind === 'adjustment' && entry.cause === 'trade of others',
  );
  expect(executor.unresolvedCount()).toBe(1);
  expect(byOthers).toHaveLength(told.booked);
});
