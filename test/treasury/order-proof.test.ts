/** What readings prove about an order by hand of unknown outcome: presence at once, absence by everything together. */
import { describe, expect, it } from 'vitest';
import { fingerprintOf, positionBaselineOf } from '../../src/spine/money/content.ts';
import type { MoneyEvidence } from '../../src/treasury/evidence.ts';
import { MoneyState } from '../../src/spine/money/state.ts';
import { judge, readsOf } from '../../src/treasury/proofs.ts';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import type { Reading } from '../../src/model/result.ts';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';

const SENT = 10_000_000;
const FENCE = 38_000;
const LAG = 30_000;
const LATE = SENT + FENCE + LAG + 1;

const buy: MoneyRequest<'futuresOrder'> = {
  kind: 'futuresOrder',
  symbol: 'XPERP',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '100',
  quantity: '2',
  clientOrderId: 'cli-1',
  positionSide: 'both',
};
const close: MoneyRequest<'futuresClose'> = { kind: 'futuresClose', symbol: 'XPERP', positionSide: 'both' };

function row(more: Partial<OrderReport> = {}): OrderReport {
  const { symbol, side, type, timeInForce, price, quantity } = buy;
  const terms = { symbol, side, type, timeInForce, price, quantity, market: 'derivative' } as const;
  const fate = { filledQuantity: '0', averagePrice: null, status: 'new' } as const;
  return { ...terms, ...fate, orderId: 'o1', createdAt: SENT + 50, updatedAt: SENT + 50, ...more };
}

const closing = (more: Partial<OrderReport> = {}): OrderReport =>
  row({ side: 'sell', type: 'market', price: null, quantity: '5', reduceOnly: true, status: 'filled', ...more });

const fill = (more: Partial<VenueFill> = {}): VenueFill => ({
  tradeId: 't1',
  orderId: 'o9',
  symbol: 'XPERP',
  market: 'derivative',
  side: 'sell',
  price: '100',
  quantity: '1',
  fee: '0',
  feeCurrency: 'USDT',
  liquidity: 'taker',
  ts: SENT + 60,
  ...more,
});

interface Seen {
  readonly orders?: readonly OrderReport[];
  readonly fills?: readonly VenueFill[];
  readonly held?: string;
  readonly asOf?: number;
  /** Why the list of orders broke off. */
  readonly brokeOff?: string;
  readonly clientOrderIds?: boolean;
  readonly claimed?: readonly string[];
}

function verdictOn(request: MoneyRequest, seen: Seen): ReturnType<typeof judge> {
  const { orders = [], fills = [], held = '5', asOf = LATE, brokeOff, clientOrderIds = true, claimed = [] } = seen;
  const state = new MoneyState();
  const before = request.kind === 'transfer' ? null : positionBaselineOf(close, [position('5')], SENT - 20);
  const record = state.open({ kind: 'money-intent', intentId: 'b1-m1', strategy: '', request, before }, SENT);
  state.sending('b1-m1', SENT);
  const complete = <T>(items: readonly T[]): Reading<T> => ({ kind: 'complete', asOf, items });
  const none: Reading<never> = { kind: 'failed', asOf, reason: 'not asked for' };
  const evidence: MoneyEvidence = {
    balances: none,
    transactions: none,
    codes: none,
    advertisements: none,
    trades: none,
    orders: brokeOff === undefined ? complete(orders) : { kind: 'partial', asOf, items: orders, reason: brokeOff },
    fills: complete(fills),
    positions: complete(held === '0' ? [] : [position(held)]),
    spotOrders: none,
    spotFills: none,
  };
  const times = { fenceMs: FENCE, historyLagMs: LAG, fenceMarginMs: 1_000 };
  const rules = { ...times, clientOrderIds, claimed: new Set(claimed.map((id) => `orders/${id}`)), rivals: [] };
  return judge(record, evidence, rules);
}

// Of a position the verdict reads these alone.
function position(quantity: string): VenuePosition {
  return { symbol: 'XPERP', positionSide: 'both', quantity } as VenuePosition;
}

const idOf = (verdict: ReturnType<typeof judge>): string | null =>
  verdict.kind === 'happened' ? verdict.receipt.id : verdict.kind;

describe('an order by hand', () => {
  it('has the content of another whatever its client order id is', () => {
    const print = (request: MoneyRequest): string => fingerprintOf(request, undefined);
    expect(print({ ...buy, clientOrderId: 'cli-2' })).toBe(print(buy));
    for (const more of [{ quantity: '3' }, { side: 'sell' }, { reduceOnly: true }, { price: '101' }] as const)
      expect(print({ ...buy, ...more })).not.toBe(print(buy));
  });

  it('happened when any list shows its client order id, also one that broke off', () => {
    expect(idOf(verdictOn(buy, { orders: [row({ clientOrderId: 'cli-1' })], brokeOff: 'timeout', asOf: SENT }))).toBe(
      'o1',
    );
  });

  it('is not one of the same terms with another id', () => {
    expect(idOf(verdictOn(buy, { orders: [row({ clientOrderId: 'cli-2' })] }))).toBe('absent');
  });

  it('may be one of the same terms that shows no id, whatever others show: an exchange may forget them', () => {
    const orders = [row({ clientOrderId: 'cli-2' }), row({ orderId: 'o2' })];
    expect(verdictOn(buy, { orders })).toMatchObject({ kind: 'open', why: expect.stringContaining('o2') });
  });

  it('is claimed by its terms where the exchange keeps no ids, when exactly one fits', () => {
    const without = { clientOrderIds: false, asOf: SENT + 500 } as const;
    expect(idOf(verdictOn(buy, { ...without, orders: [row()] }))).toBe('o1');
    const unfit = [
      row({ orderId: 'o2', side: 'sell' }),
      row({ orderId: 'o3', quantity: '3' }),
      row({ orderId: 'o4', price: '99' }),
      row({ orderId: 'o5', createdAt: SENT - FENCE - 1 }),
      row({ orderId: 'o6', createdAt: SENT + FENCE + 1 }),
      row({ orderId: 'o7', positionSide: 'long' }),
      row({ orderId: 'o8', reason: 'liquidation' }),
    ];
    expect(idOf(verdictOn(buy, { ...without, orders: [row(), ...unfit] }))).toBe('o1');
    expect(idOf(verdictOn(buy, { ...without, orders: [row(), row({ orderId: 'o2' })] }))).toBe('open');
    expect(idOf(verdictOn(buy, { ...without, orders: [row(), row({ orderId: 'o2' })], claimed: ['o2'] }))).toBe('o1');
    expect(idOf(verdictOn(buy, { ...without, orders: [row()], brokeOff: 'timeout' }))).toBe('open');
    // Our clock may have been ahead: no proof, and no absence either.
    const early = row({ orderId: 'o2', createdAt: SENT - 1_001 });
    expect(idOf(verdictOn(buy, { ...without, orders: [early], asOf: LATE }))).toBe('open');
    expect(idOf(verdictOn(buy, { ...without, orders: [row(), early] }))).toBe('o1');
  });

  it('is absent only past the fence and the lag of the lists, read whole', () => {
    expect(idOf(verdictOn(buy, {}))).toBe('absent');
    expect(idOf(verdictOn(buy, { asOf: LATE - 1 }))).toBe('open');
    expect(idOf(verdictOn(buy, { brokeOff: 'timeout' }))).toBe('open');
  });

  it('is not absent while a trade or a position has no other order', () => {
    expect(idOf(verdictOn(buy, { fills: [fill()], held: '4' }))).toBe('open');
    const listed = [row({ orderId: 'o9', clientOrderId: 'x', side: 'sell' })];
    expect(idOf(verdictOn(buy, { fills: [fill()], held: '4', orders: listed }))).toBe('absent');
    // A trade has the side of its order, whatever is told of it.
    expect(idOf(verdictOn(buy, { fills: [fill({ side: 'buy' })], held: '4', orders: listed }))).toBe('absent');
    expect(idOf(verdictOn(buy, { fills: [fill()], held: '5', orders: listed }))).toBe('open');
    expect(idOf(verdictOn(buy, { held: '7' }))).toBe('open');
  });

  it('asks for orders, trades and positions, from an hour before', () => {
    const state = new MoneyState();
    const record = state.open(
      { kind: 'money-intent', intentId: 'b1-m1', strategy: '', request: buy, before: null },
      SENT,
    );
    state.sending('b1-m1', SENT);
    const { names, from } = readsOf([record]);
    expect([[...names], from]).toEqual([['orders', 'fills', 'positions'], SENT - 3_600_000]);
  });
});

describe('a close by hand', () => {
  it('is the reduce-only order at market on the closing side since the sending', () => {
    expect(idOf(verdictOn(close, { orders: [closing()], asOf: SENT + 500 }))).toBe('o1');
    const unfit = [
      closing({ orderId: 'o2', side: 'buy' }),
      closing({ orderId: 'o3', type: 'limit' }),
      closing({ orderId: 'o4', reduceOnly: false }),
      closing({ orderId: 'o5', createdAt: SENT - FENCE - 1 }),
      closing({ orderId: 'o6', clientOrderId: 'tw-1' }),
      closing({ orderId: 'o7', reason: 'liquidation' }),
    ];
    expect(idOf(verdictOn(close, { orders: unfit }))).toBe('absent');
    expect(idOf(verdictOn(close, { orders: [closing(), closing({ orderId: 'o2' })] }))).toBe('open');
    expect(idOf(verdictOn(close, { orders: [closing({ orderId: 'o2', reduceOnly: undefined })] }))).toBe('open');
  });

  it('of a part is one of that quantity', () => {
    const part = { ...close, quantity: '2' };
    expect(idOf(verdictOn(part, { orders: [closing({ quantity: '2.0' }), closing({ orderId: 'o2' })] }))).toBe('o1');
    expect(idOf(verdictOn(part, { orders: [closing()] }))).toBe('absent');
  });

  it('is not absent when less is held and nothing says why', () => {
    expect(idOf(verdictOn(close, {}))).toBe('absent');
    expect(idOf(verdictOn(close, { held: '0' }))).toBe('open');
    expect(idOf(verdictOn(close, { asOf: SENT + FENCE + 1 }))).toBe('open');
  });
});
