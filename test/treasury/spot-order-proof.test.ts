/** What readings prove about a spot order by hand of unknown outcome: balances take the place of positions. */
import { expect, it } from 'vitest';
import type { Balance } from '../../src/model/trading/account.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import type { Reading } from '../../src/model/result.ts';
import { baselineOf } from '../../src/spine/money/content.ts';
import { MoneyState } from '../../src/spine/money/state.ts';
import { judge, readsOf } from '../../src/treasury/proofs.ts';

const SENT = 10_000_000;
const FENCE = 38_000;
const LAG = 30_000;
const LATE = SENT + FENCE + LAG + 1;

const buy: MoneyRequest<'spotOrder'> = {
  kind: 'spotOrder',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '100',
  quantity: '2',
  clientOrderId: 'cli-1',
};

function row(more: Partial<OrderReport> = {}): OrderReport {
  const { kind: _, clientOrderId: __, ...terms } = buy;
  const end = { filledQuantity: '0', averagePrice: null, status: 'new' } as const;
  return { ...terms, ...end, market: 'spot', orderId: 'o1', createdAt: SENT + 50, updatedAt: SENT + 50, ...more };
}

const fill = (more: Partial<VenueFill> = {}): VenueFill => ({
  tradeId: 't1',
  orderId: 'o9',
  symbol: 'BTCUSDT',
  market: 'spot',
  side: 'buy',
  price: '100',
  quantity: '1',
  fee: '0.01',
  feeCurrency: 'BTC',
  liquidity: 'taker',
  ts: SENT + 60,
  ...more,
});

const held = (total: string, account: Balance['account'] = 'unified-trading'): Balance => ({
  account,
  currency: 'BTC',
  available: total,
  locked: '0',
  total,
});

interface Seen {
  readonly orders?: readonly OrderReport[];
  readonly fills?: readonly VenueFill[];
  readonly total?: string;
  readonly asOf?: number;
  readonly clientOrderIds?: boolean;
  readonly isKnownBefore?: boolean;
}

const state = new MoneyState();

function recordOf(before: ReturnType<typeof baselineOf> | null): ReturnType<MoneyState['open']> {
  const intentId = `b1-m${state.count + 1}`;
  const record = state.open({ kind: 'money-intent', intentId, strategy: '', request: buy, before }, SENT);
  state.sending(intentId, SENT);
  return record;
}

function verdictOn(seen: Seen = {}): ReturnType<typeof judge> {
  const { orders = [], fills = [], total = '5', asOf = LATE, clientOrderIds = true, isKnownBefore = true } = seen;
  const record = recordOf(isKnownBefore ? baselineOf(buy, [held('5'), held('1', 'funding')], SENT - 20) : null);
  const complete = <T>(items: readonly T[]): Reading<T> => ({ kind: 'complete', asOf, items });
  const none: Reading<never> = { kind: 'failed', asOf, reason: 'not asked for' };
  const evidence = {
    balances: complete([held(total), held('9', 'funding')]),
    transactions: none,
    codes: none,
    advertisements: none,
    trades: none,
    orders: none,
    fills: none,
    positions: none,
    spotOrders: complete(orders),
    spotFills: complete(fills),
  };
  return judge(record as never, evidence, {
    fenceMs: FENCE,
    historyLagMs: LAG,
    fenceMarginMs: 1_000,
    clientOrderIds,
    claimed: new Set<string>(),
    rivals: [],
  });
}

const listed = row({ orderId: 'o9', clientOrderId: 'x' });

it('spot-order/happened-by-its-client-order-id-or-by-its-terms-without', () => {
  expect(verdictOn({ orders: [row({ clientOrderId: 'cli-1' })], asOf: SENT })).toMatchObject({
    kind: 'happened',
    receipt: { id: 'o1' },
  });
  expect(verdictOn({ orders: [row()], clientOrderIds: false, asOf: SENT + 500 }).kind).toBe('happened');
  expect(verdictOn({ orders: [row(), row({ orderId: 'o2' })], clientOrderIds: false }).kind).toBe('open');
});

it('spot-order/absent-only-past-the-fence-and-where-trades-explain-the-balance', () => {
  expect(verdictOn().kind).toBe('absent');
  expect(verdictOn({ asOf: LATE - 1 }).kind).toBe('open');
  expect(verdictOn({ isKnownBefore: false }).kind).toBe('open');
  expect(verdictOn({ total: '6' })).toMatchObject({ kind: 'open', why: expect.stringContaining('6 is held now') });
  // The fee of a buy comes off the base currency; a trade has the side of its order.
  expect(verdictOn({ fills: [fill()], orders: [listed], total: '5.99' }).kind).toBe('absent');
  expect(verdictOn({ fills: [fill({ side: 'sell' })], orders: [listed], total: '5.99' }).kind).toBe('absent');
  expect(verdictOn({ fills: [fill()], orders: [listed] }).kind).toBe('open');
  const ofOther = fill({ symbol: 'ETHBTC', orderId: 'o8', price: '0.5', fee: '0.001', feeCurrency: 'ETH' });
  expect(verdictOn({ fills: [ofOther], total: '4.5' }).kind).toBe('absent');
});

it('spot-order/not-absent-while-a-trade-has-no-other-order', () => {
  expect(verdictOn({ fills: [fill()], total: '5.99' })).toMatchObject({
    kind: 'open',
    why: expect.stringContaining('t1'),
  });
});

it('spot-order/asks-for-orders-trades-and-balances-from-an-hour-before', () => {
  const { names, from } = readsOf([recordOf(null)]);
  expect([[...names], from]).toEqual([['spotOrders', 'spotFills', 'balances'], SENT - 3_600_000]);
});
