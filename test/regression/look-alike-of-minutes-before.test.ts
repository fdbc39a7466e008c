/**
 * While the clock of the exchange was in doubt by minutes, an order of the same terms that had been there for as long was claimed
 * for one that never arrived: whatever is in doubt now, a signature was accepted within half a minute or not at all. Found by
 * the fault simulator (seed 50758).
 */
import { expect, it } from 'vitest';
import { couldBe, isCandidate, type MatchRules } from '../../src/reconciler/match.ts';
import type { LocalOrder } from '../../src/reconciler/local-order.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';

const SENT = 1_767_226_643_191;
const OFFSET_MS = 85_437;
const WINDOW_MS = 38_000;
const DOUBT_MS = 300_000;

const terms = {
  market: 'spot',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'market',
  timeInForce: 'ioc',
  price: null,
  quantity: '0.02001',
} as const;
const request: OrderRequest = { ...terms, clientOrderId: 'tw-b17-72' };

const order: LocalOrder = {
  intentId: 'b17-72',
  strategy: 'maker',
  state: 'unknown',
  request,
  orderId: undefined,
  sentAt: SENT,
  offsetMs: OFFSET_MS,
  ackedAt: 0,
  missesFills: false,
  cancelWanted: false,
  cancelInFlight: false,
  absentSince: 0,
};

const rules: MatchRules = {
  fenceMs: WINDOW_MS + DOUBT_MS,
  skewMs: DOUBT_MS,
  earlier: { until: SENT + 1, moreMs: 15_000 },
  ids: 'absent',
  wasThere: () => false,
  believesSide: () => true,
};

const createdAt = (at: number): OrderReport => ({
  ...terms,
  orderId: '7051',
  filledQuantity: '0.02001',
  averagePrice: '59905',
  status: 'filled',
  createdAt: at,
  updatedAt: at,
});

it.each([
  ['minutes before', SENT - 200_000, false],
  ['before the window of its signature, and of a clock that was off', SENT + OFFSET_MS - 53_001, false],
  ['within it', SENT + OFFSET_MS - 53_000, true],
  ['when it was signed', SENT + OFFSET_MS, true],
])('an order created %s', (_, at, could) => {
  expect(isCandidate(order, createdAt(at), rules)).toBe(could);
  expect(couldBe(order, createdAt(at), rules)).toBe(could);
});
