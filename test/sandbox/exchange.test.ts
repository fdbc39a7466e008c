/** Laws of the spot core under random operations of several users. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, ZERO, type Decimal } from '../../src/model/numbers/money.ts';
import type { Market } from '../../src/model/market/instrument.ts';
import { Exchange } from '../../src/sandbox/core/exchange.ts';
import { orderReport, type OrderRecord, type Trader } from '../../src/sandbox/core/orders/order-record.ts';
import { isRefusal } from '../../src/sandbox/core/refusal.ts';

const spotOnly = { markets: new Set<Market>(['spot']) };

function openExchange(): { exchange: Exchange; traders: Trader[] } {
  const exchange = new Exchange({ seed: 3, startMs: 1_700_000_000_000, clientOrderIds: true });
  const traders = exchange.users.map(({ login }) => {
    const user = exchange.identity.userByLogin(login);
    if (user === undefined) throw new Error('no user');
    return user.trader;
  });
  return { exchange, traders };
}

const order = fc.record({
  kind: fc.constant('order' as const),
  who: fc.nat(1),
  symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', 'ETHBTC'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constantFrom('limit' as const, 'limit' as const, 'market' as const),
  timeInForce: fc.constantFrom('gtc' as const, 'ioc' as const),
  steps: fc.integer({ min: 1, max: 9 }),
  lots: fc.integer({ min: 1, max: 400 }),
});
const cancel = fc.record({ kind: fc.constant('cancel' as const), who: fc.nat(1), pick: fc.nat(1000) });
const operations = fc.array(fc.oneof({ weight: 4, arbitrary: order }, { weight: 1, arbitrary: cancel }), {
  maxLength: 120,
});

/** Prices and sizes large enough to run into the users' money now and then. */
const grids: Readonly<Record<string, { price: string; quantity: string }>> = {
  BTCUSDT: { price: '13000', quantity: '0.03' },
  ETHUSDT: { price: '700', quantity: '0.4' },
  ETHBTC: { price: '0.01', quantity: '0.4' },
};

function checkMoney(exchange: Exchange, traders: readonly Trader[], orders: readonly OrderRecord[]): void {
  for (const [currency, total] of exchange.accounts.totals())
    expect(`${currency} ${total.toFixed()}`).toBe(`${currency} 0`);
  for (const trader of traders) {
    const held = new Map<string, Decimal>();
    for (const record of orders) {
      if (record.trader !== trader) continue;
      const { base, quote } = record.market.instrument;
      const currency = record.order.side === 'buy' ? quote : base;
      held.set(currency, (held.get(currency) ?? ZERO).plus(record.locked));
      if (!record.isActive) expect(record.locked.isZero()).toBe(true);
    }
    for (const row of exchange.accounts.rows(trader.userId)) {
      expect(dec(row.available).isNegative()).toBe(false);
      expect(dec(row.total).eq(dec(row.available).plus(row.locked))).toBe(true);
      if (row.account === 'unified-trading') expect(dec(row.locked).eq(held.get(row.currency) ?? ZERO)).toBe(true);
    }
  }
}

describe('spot core', () => {
  it('keeps balances non-negative, sums zero and locks exact under any operations', () => {
    fc.assert(
      fc.property(operations, (steps) => {
        const { exchange, traders } = openExchange();
        const orders: OrderRecord[] = [];
        let now = 1_700_000_000_000;
        for (const step of steps) {
          now += 10;
          const trader = traders[step.who]!;
          if (step.kind === 'cancel') {
            const record = orders[step.pick % Math.max(1, orders.length)];
            if (record !== undefined) exchange.orders.cancel(trader, record.orderId, spotOnly, now);
          } else {
            const grid = grids[step.symbol]!;
            const price = step.type === 'market' ? null : dec(grid.price).times(step.steps).toFixed();
            const quantity = dec(grid.quantity).times(step.lots).toFixed();
            const record = exchange.placeSpot(trader, { ...step, price, quantity }, now);
            if (!isRefusal(record)) orders.push(record);
          }
          checkMoney(exchange, traders, orders);
        }
        for (const record of orders) {
          const fills = record.trader.history?.trades.filter((fill) => fill.orderId === record.orderId) ?? [];
          const filled = fills.reduce((sum, fill) => sum.plus(fill.quantity), ZERO);
          expect(orderReport(record).filledQuantity).toBe(filled.toFixed());
        }
        for (const trader of traders) {
          const ids = trader.history?.trades.map((fill) => fill.tradeId) ?? [];
          expect(new Set(ids).size).toBe(ids.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('locks exactly price × quantity for a resting buy and nothing for fees', () => {
    const { exchange, traders } = openExchange();
    const [alice] = traders;
    const request = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc' } as const;
    exchange.placeSpot(alice!, { ...request, price: '59999.99', quantity: '0.00123' }, 1);
    expect(alice!.wallet.pocket('USDT').unavailable.toFixed()).toBe('73.7999877');
  });

  it('takes the fee from the asset received and gives price improvement back', () => {
    const { exchange, traders } = openExchange();
    const [alice, bob] = traders as [Trader, Trader];
    exchange.placeSpot(
      bob,
      { symbol: 'BTCUSDT', side: 'sell', type: 'limit', timeInForce: 'gtc', price: '50000', quantity: '1' },
      1,
    );
    const taken = exchange.placeSpot(
      alice,
      { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc', price: '60000', quantity: '1' },
      2,
    );
    expect(isRefusal(taken)).toBe(false);
    const amount = (trader: Trader, currency: string): string => trader.wallet.pocket(currency).available.toFixed();
    expect(amount(alice, 'USDT')).toBe('950000');
    expect(amount(alice, 'BTC')).toBe('10.9995');
    expect(amount(bob, 'USDT')).toBe('1049990');
    expect(amount(bob, 'BTC')).toBe('9');
    expect(alice.wallet.pocket('USDT').unavailable.toFixed()).toBe('0');
  });

  it('expires the rest of ioc and market orders, and market orders stop at their protection', () => {
    const { exchange, traders } = openExchange();
    const [alice, bob] = traders as [Trader, Trader];
    const sell = { symbol: 'BTCUSDT', side: 'sell', type: 'limit', timeInForce: 'gtc', quantity: '0.1' } as const;
    exchange.placeSpot(bob, { ...sell, price: '50000' }, 1);
    exchange.placeSpot(bob, { ...sell, price: '56000' }, 1);
    const market = exchange.placeSpot(
      alice,
      { symbol: 'BTCUSDT', side: 'buy', type: 'market', timeInForce: 'ioc', price: null, quantity: '1' },
      2,
    );
    expect(market).toMatchObject({ status: 'expired', filledLots: 10_000 });
    const ioc = exchange.placeSpot(
      alice,
      { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'ioc', price: '56000', quantity: '1' },
      3,
    );
    expect(ioc).toMatchObject({ status: 'expired', filledLots: 10_000 });
    expect(alice.wallet.pocket('USDT').unavailable.toFixed()).toBe('0');
  });

  it('lets orders of one user trade with each other, each fill with an id of its own', () => {
    const { exchange, traders } = openExchange();
    const alice = traders[0]!;
    const both = { symbol: 'BTCUSDT', type: 'limit', timeInForce: 'gtc', price: '50000', quantity: '1' } as const;
    exchange.placeSpot(alice, { ...both, side: 'sell' }, 1);
    expect(exchange.placeSpot(alice, { ...both, side: 'buy' }, 2)).toMatchObject({ status: 'filled' });
    const fills = alice.history?.trades ?? [];
    expect(fills).toHaveLength(2);
    expect(fills[0]?.tradeId).not.toBe(fills[1]?.tradeId);
    checkMoney(exchange, traders, alice.history?.orders ?? []);
  });

  it('refuses each business rule with its code', () => {
    const { exchange, traders } = openExchange();
    const [alice, bob] = traders as [Trader, Trader];
    const good = {
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      price: '50000',
      quantity: '0.01',
    } as const;
    const code = (change: object): unknown => {
      const result = exchange.placeSpot(alice, { ...good, ...change }, 1);
      return isRefusal(result) ? result.code : result.status;
    };
    expect(code({ symbol: 'NOPE' })).toBe('unknown_symbol');
    expect(code({ symbol: 'BTCUSDTPERP' })).toBe('unknown_symbol');
    expect(code({ price: '50000.005' })).toBe('off_tick');
    expect(code({ quantity: '0.000015' })).toBe('off_lot');
    expect(code({ quantity: '0.000001' })).toBe('below_minimum');
    expect(code({ quantity: '0.00001', price: '5' })).toBe('below_minimum');
    expect(code({ quantity: '1001' })).toBe('above_maximum');
    expect(code({ quantity: '900' })).toBe('insufficient_balance');
    expect(code({ clientOrderId: 'once' })).toBe('new');
    expect(code({ clientOrderId: 'once' })).toBe('duplicate_client_order_id');
    exchange.markets.get('ETHUSDT')!.halted = true;
    expect(code({ symbol: 'ETHUSDT' })).toBe('symbol_halted');
    const placed = exchange.placeSpot(alice, good, 1);
    if (isRefusal(placed)) throw new Error(placed.message);
    expect(exchange.orders.cancel(bob, placed.orderId, spotOnly, 2)).toMatchObject({ code: 'not_owner' });
    expect(exchange.orders.cancel(alice, 'x', spotOnly, 2)).toMatchObject({ code: 'unknown_order' });
    expect(exchange.orders.cancel(alice, placed.orderId, spotOnly, 2)).toMatchObject({ status: 'canceled' });
    expect(exchange.orders.cancel(alice, placed.orderId, spotOnly, 3)).toMatchObject({ code: 'order_closed' });
  });

  it('pages history newest first without loss or repetition while it grows', () => {
    const { exchange, traders } = openExchange();
    const alice = traders[0]!;
    const place = (now: number): void => {
      const record = exchange.placeSpot(
        alice,
        { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'ioc', price: '50000', quantity: '0.01' },
        now,
      );
      expect(record).toMatchObject({ status: 'expired' });
    };
    for (let now = 1; now <= 25; now++) place(now);
    const seen: number[] = [];
    let before = Number.POSITIVE_INFINITY;
    for (;;) {
      const page = exchange.orders.ended(alice, spotOnly, { from: 3, to: 22, limit: 7, before });
      seen.push(...page.items.map((record) => record.createdAt));
      place(100 + seen.length);
      if (page.nextCursor === null) break;
      before = Number(page.nextCursor.slice(1));
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index));
  });
});
