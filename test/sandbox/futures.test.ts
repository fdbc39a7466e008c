/** Futures in the core, worked by hand: 10,000 USDT a user, marks that the test sets. */
import { describe, expect, it } from 'vitest';
import { assumedSchema } from '../../src/sandbox/core/assumptions.ts';
import { dec } from '../../src/model/numbers/money.ts';
import { orderReport } from '../../src/sandbox/core/orders/order-record.ts';
import { PERP, Pit, START, allItems, noFees } from './futures-pit.ts';

const HOUR = 3_600_000;

function leveraged(times: number, assumed = noFees): Pit {
  const pit = new Pit(assumed);
  pit.mark(20_000);
  for (const trader of [pit.alice, pit.bob]) pit.exchange.futures.settings.setLeverage(trader, PERP, times);
  return pit;
}

describe('margin of orders and positions', () => {
  it('a resting order locks notional / leverage, the worse side only, and gives it back', () => {
    const pit = leveraged(10);
    pit.place(pit.alice, { price: '19000', quantity: '1' });
    expect(pit.money(pit.alice)).toBe('8100 1900 10000');
    pit.place(pit.alice, { side: 'sell', price: '21000', quantity: '0.5' });
    expect(pit.money(pit.alice)).toBe('8100 1900 10000');
    pit.place(pit.alice, { side: 'sell', price: '21000', quantity: '0.5' });
    expect(pit.money(pit.alice)).toBe('7900 2100 10000');
    pit.exchange.orders.cancelMany(pit.alice, null, { markets: new Set(['derivative']) }, pit.now);
    expect(pit.money(pit.alice)).toBe('10000 0 10000');
  });

  it('a position holds cost / leverage, whatever the mark; profit is realised in proportion', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    expect(pit.money(pit.alice)).toBe('8000 2000 10000');
    pit.mark(21_000);
    expect(pit.money(pit.alice)).toBe('8000 2000 10000');
    expect(pit.positions(pit.alice)).toEqual([
      {
        symbol: PERP,
        positionSide: 'both',
        quantity: '1',
        entryPrice: '20000',
        markPrice: '21000',
        leverage: '10',
        marginType: 'cross',
        margin: '2000',
        // (20000 − 10000 − 0) / (1 · (1 − 0.004))
        liquidationPrice: '10040.16064257',
        unrealizedPnl: '1000',
        realizedPnl: '0',
        updatedAt: START,
      },
    ]);
    pit.trade(pit.alice, 'sell', 21_000, '0.4');
    expect(pit.money(pit.alice)).toBe('9200 1200 10400');
    expect(pit.positions(pit.alice)[0]).toMatchObject({ quantity: '0.6', realizedPnl: '400', unrealizedPnl: '600' });
    expect(pit.ofExchange('market')).toBe('-400');
  });

  it('fees come from the settlement currency and an opening order needs them beside its margin', () => {
    const pit = leveraged(2, { fees: { maker: '0.0002', taker: '0.001' } });
    pit.offer('sell', 20_000, 2);
    expect(pit.place(pit.alice, { type: 'market', quantity: '1' })).toMatchObject({ code: 'insufficient_balance' });
    pit.place(pit.alice, { type: 'market', quantity: '0.9' });
    expect(pit.money(pit.alice)).toBe('982 9000 9982');
    expect(pit.ofExchange('fees')).toBe('18');
  });

  it('an order that flips closes first, and its two parts are two positions in the books', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    pit.trade(pit.alice, 'sell', 20_500, '1.5');
    expect(pit.money(pit.alice)).toBe('9475 1025 10500');
    expect(pit.positions(pit.alice)).toMatchObject([{ quantity: '-0.5', entryPrice: '20500', realizedPnl: '0' }]);
    expect(pit.closed(pit.alice)).toMatchObject([
      { quantity: '1', entryPrice: '20000', closePrice: '20500', realizedPnl: '500', markPrice: '20000', margin: '0' },
    ]);
    expect(pit.alice.history?.trades.map((trade) => [trade.quantity, trade.realizedPnl])).toEqual([
      ['1', '0'],
      ['1.5', '500'],
    ]);
  });

  it('spot locks and margin share the account but not a cent', () => {
    const pit = leveraged(10);
    const spot = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc', price: '9000' } as const;
    pit.exchange.placeSpot(pit.alice, { ...spot, quantity: '1' }, pit.now);
    expect(pit.money(pit.alice)).toBe('1000 9000 10000');
    expect(pit.place(pit.alice, { price: '10001', quantity: '1' })).toMatchObject({ code: 'insufficient_balance' });
    pit.place(pit.alice, { price: '10000', quantity: '0.9' });
    expect(pit.money(pit.alice)).toBe('100 9900 10000');
    expect(pit.exchange.placeSpot(pit.alice, { ...spot, quantity: '0.02' }, pit.now)).toMatchObject({
      code: 'insufficient_balance',
    });
  });

  it('what cross positions have lost cannot open others, and an order far from the mark needs its loss', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    pit.mark(13_000);
    expect(pit.place(pit.alice, { price: '12000', quantity: '1' })).toMatchObject({ code: 'insufficient_balance' });
    pit.place(pit.alice, { price: '12000', quantity: '0.5' });
    expect(pit.money(pit.alice)).toBe('7400 2600 10000');
    pit.mark(20_000);
    expect(pit.place(pit.bob, { price: '27000', quantity: '1.1' })).toMatchObject({ code: 'insufficient_balance' });
    expect(pit.place(pit.bob, { price: '27000', quantity: '1' })).toMatchObject({ status: 'new' });
  });
});

describe('orders whose margin a loss has taken', () => {
  it('are canceled, those that only close are not', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '4');
    const entry = pit.place(pit.alice, { price: '15000', quantity: '1' });
    const exit = pit.place(pit.alice, { side: 'sell', price: '21000', quantity: '1', reduceOnly: true });
    expect(pit.money(pit.alice)).toBe('500 9500 10000');
    pit.trade(pit.alice, 'sell', 18_000, '2');
    // 10000 − 4000 covers 4000 for the 2 that are left, and 1500 for the order.
    expect(pit.money(pit.alice)).toBe('500 5500 6000');
    expect([entry, exit]).toMatchObject([{ status: 'new' }, { status: 'new' }]);
    pit.trade(pit.alice, 'sell', 17_000, '1');
    // 3000 does not cover 2000 and 1500.
    expect(pit.money(pit.alice)).toBe('1000 2000 3000');
    expect([entry, exit]).toMatchObject([{ status: 'canceled', reason: 'insufficient_balance' }, { status: 'new' }]);
  });
});

describe('hedge mode and reduce-only', () => {
  it('holds long and short side by side, each with its own margin and result', () => {
    const pit = leveraged(10);
    pit.exchange.futures.settings.setMode(pit.alice, 'hedge');
    pit.trade(pit.alice, 'buy', 20_000, '1', { positionSide: 'long' });
    pit.trade(pit.alice, 'sell', 20_200, '1', { positionSide: 'short' });
    expect(pit.money(pit.alice)).toBe('5980 4020 10000');
    expect(pit.positions(pit.alice)).toMatchObject([
      { positionSide: 'long', quantity: '1', entryPrice: '20000' },
      { positionSide: 'short', quantity: '1', entryPrice: '20200' },
    ]);
    pit.trade(pit.alice, 'buy', 20_100, '1', { positionSide: 'short' });
    expect(pit.money(pit.alice)).toBe('8100 2000 10100');
    expect(pit.closed(pit.alice)).toMatchObject([{ positionSide: 'short', quantity: '1', realizedPnl: '100' }]);
    const more = { side: 'sell', price: '21000', quantity: '1.1', positionSide: 'long' } as const;
    expect(pit.place(pit.alice, more)).toMatchObject({ code: 'reduce_only_violation' });
    expect(pit.place(pit.alice, { price: '19000', positionSide: 'both' })).toMatchObject({
      code: 'illegal_transition',
      field: 'positionSide',
    });
  });

  it('reduce-only orders hold no margin and are canceled once they would open', () => {
    const pit = leveraged(10);
    const exit = { side: 'sell', price: '21000', quantity: '1', reduceOnly: true } as const;
    expect(pit.place(pit.alice, exit)).toMatchObject({ code: 'reduce_only_violation', field: 'quantity' });
    pit.trade(pit.alice, 'buy', 20_000, '1');
    const first = pit.place(pit.alice, exit);
    const second = pit.place(pit.alice, { ...exit, price: '21500', quantity: '0.4' });
    expect(pit.money(pit.alice)).toBe('8000 2000 10000');
    pit.trade(pit.alice, 'sell', 20_100, '0.6');
    expect(first).toMatchObject({ status: 'canceled', reason: 'reduce_only' });
    expect(second).toMatchObject({ status: 'new' });
    expect(pit.place(pit.alice, { ...exit, side: 'buy', price: '19000' })).toMatchObject({
      code: 'reduce_only_violation',
    });
  });

  it('one sweep never trades a reduce-only order beyond the position', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    const orders = ['20100', '20100', '20200'].map((price) =>
      pit.place(pit.alice, { side: 'sell', price, quantity: '0.7', reduceOnly: true }),
    );
    const taker = pit.place(pit.bob, { type: 'limit', timeInForce: 'ioc', price: '20300', quantity: '2.1' });
    expect(orders).toMatchObject([
      { status: 'filled' },
      { status: 'canceled', reason: 'reduce_only', filledLots: 0 },
      { status: 'canceled', reason: 'reduce_only', filledLots: 0 },
    ]);
    expect(taker).toMatchObject({ status: 'expired', filledLots: 7000 });
    expect(pit.positions(pit.alice)).toMatchObject([{ quantity: '0.3' }]);
  });

  it('closes a position or a part of it at market', () => {
    const pit = leveraged(10);
    const close = (quantity?: string) =>
      pit.exchange.futures.trading.close(pit.alice, { symbol: PERP, positionSide: 'both', quantity }, pit.now);
    expect(close()).toMatchObject({ code: 'reduce_only_violation' });
    pit.trade(pit.alice, 'sell', 20_000, '1');
    pit.offer('sell', 19_900, 5);
    expect(close('1.2')).toMatchObject({ code: 'reduce_only_violation' });
    expect(close('0.00001')).toMatchObject({ code: 'below_minimum' });
    expect(close('0.25')).toMatchObject({ status: 'filled' });
    expect(close()).toMatchObject({ status: 'filled', filledLots: 7500 });
    expect(pit.money(pit.alice)).toBe('10100 0 10100');
    const orders = pit.exchange.futures.closedPositionOrders(pit.alice, PERP, allItems).items;
    expect(orders.map((record) => orderReport(record).quantity)).toEqual(['0.75', '0.25', '1']);
  });
});

describe('leverage, margin type and mode', () => {
  it('leverage moves margin at once, bounded by tier and balance', () => {
    const pit = leveraged(10);
    const { settings } = pit.exchange.futures;
    pit.trade(pit.alice, 'buy', 20_000, '3');
    expect(pit.money(pit.alice)).toBe('4000 6000 10000');
    expect(settings.setLeverage(pit.alice, PERP, 20)).toBeUndefined();
    expect(pit.money(pit.alice)).toBe('7000 3000 10000');
    expect(settings.setLeverage(pit.alice, PERP, 5)).toMatchObject({ code: 'insufficient_balance' });
    expect(settings.setLeverage(pit.alice, PERP, 51)).toMatchObject({ code: 'leverage_too_high' });
    expect(settings.setLeverage(pit.alice, PERP, 101)).toMatchObject({ code: 'leverage_too_high' });
    expect(settings.setLeverage(pit.bob, 'NOPE', 2)).toMatchObject({ code: 'unknown_symbol' });
    expect(pit.money(pit.alice)).toBe('7000 3000 10000');
  });

  it('an order beyond the tier of the leverage is refused, one that closes is not', () => {
    const pit = leveraged(100);
    expect(pit.place(pit.alice, { price: '20000', quantity: '2.51' })).toMatchObject({ code: 'leverage_too_high' });
    pit.trade(pit.alice, 'buy', 20_000, '2.5');
    expect(pit.place(pit.alice, { price: '20000', quantity: '0.01' })).toMatchObject({ code: 'leverage_too_high' });
    expect(pit.place(pit.alice, { side: 'sell', price: '21000', quantity: '2.5' })).toMatchObject({ status: 'new' });
  });

  it('a sell below the bids is taken for what it opens at, by leverage and by tier', () => {
    const pit = leveraged(1);
    pit.offer('buy', 20_000, 200);
    const below = { side: 'sell', price: '500', quantity: '0.51' } as const;
    expect(pit.place(pit.alice, below)).toMatchObject({ code: 'insufficient_balance' });
    expect(pit.money(pit.alice)).toBe('10000 0 10000');
    pit.exchange.futures.settings.setLeverage(pit.alice, PERP, 100);
    expect(pit.place(pit.alice, { ...below, quantity: '2.51' })).toMatchObject({ code: 'leverage_too_high' });
    expect(pit.place(pit.alice, { ...below, quantity: '2.5' })).toMatchObject({ status: 'filled' });
    expect(pit.money(pit.alice)).toBe('9500 500 10000');
  });

  it('the rest of a sell that traded above its limit holds what the limit asks', () => {
    const pit = leveraged(10);
    pit.offer('buy', 20_000, 1);
    pit.place(pit.alice, { side: 'sell', price: '19000', quantity: '3' });
    expect(pit.money(pit.alice)).toBe(`${10_000 - 2000 - 3800} ${2000 + 3800} 10000`);
  });

  it('a market order through several prices is taken for all of them by the tier', () => {
    const pit = leveraged(100);
    pit.offer('sell', 20_000, 0.1);
    pit.offer('sell', 21_900, 10);
    const order = { type: 'market', timeInForce: 'ioc', price: null } as const;
    expect(pit.place(pit.alice, { ...order, quantity: '2.5' })).toMatchObject({ code: 'leverage_too_high' });
    expect(pit.place(pit.alice, { ...order, quantity: '2.2' })).toMatchObject({ status: 'filled' });
  });

  it('margin type and mode change only while nothing stands', () => {
    const pit = leveraged(10);
    const { settings } = pit.exchange.futures;
    const order = pit.place(pit.alice, { price: '19000' });
    expect(settings.setMarginType(pit.alice, PERP, 'cross')).toBeUndefined();
    expect(settings.setMarginType(pit.alice, PERP, 'isolated')).toMatchObject({ code: 'illegal_transition' });
    expect(settings.setMarginType(pit.alice, 'ETHUSDTPERP', 'isolated')).toBeUndefined();
    expect(settings.setMode(pit.alice, 'hedge')).toMatchObject({ code: 'illegal_transition' });
    expect('orderId' in order).toBe(true);
    pit.exchange.orders.cancelMany(pit.alice, null, { markets: new Set(['derivative']) }, pit.now);
    expect(settings.setMarginType(pit.alice, PERP, 'isolated')).toBeUndefined();
    expect(settings.setMode(pit.alice, 'hedge')).toBeUndefined();
  });
});

describe('isolated margin', () => {
  it('puts the margin aside, gives it back in proportion, and leverage adds to it', () => {
    const pit = leveraged(10);
    const { settings } = pit.exchange.futures;
    settings.setMarginType(pit.alice, PERP, 'isolated');
    pit.trade(pit.alice, 'buy', 20_000, '1');
    expect(pit.money(pit.alice)).toBe('8000 2000 10000');
    // (20000 − 2000) / 0.996
    expect(pit.positions(pit.alice)).toMatchObject([{ margin: '2000', liquidationPrice: '18072.28915663' }]);
    settings.setLeverage(pit.alice, PERP, 5);
    expect(pit.positions(pit.alice)).toMatchObject([{ margin: '4000', leverage: '5' }]);
    pit.trade(pit.alice, 'sell', 19_000, '0.5');
    expect(pit.money(pit.alice)).toBe('7500 2000 9500');
    pit.mark(17_000);
    expect(settings.setLeverage(pit.alice, PERP, 10)).toMatchObject({ code: 'insufficient_balance' });
    expect(pit.money(pit.alice)).toBe('7500 2000 9500');
  });
});

describe('transfers out of the trading account', () => {
  const transfer = (pit: Pit, from: 'unified-trading' | 'funding', amount: string) =>
    pit.exchange.money.transfers.transfer(
      pit.alice.userId,
      { from, to: from === 'funding' ? 'unified-trading' : 'funding', currency: 'USDT', amount: dec(amount) },
      pit.now,
    );

  it('leave what open cross positions have lost so far', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    pit.mark(19_000);
    expect(pit.money(pit.alice)).toBe('8000 2000 10000');
    expect(transfer(pit, 'unified-trading', '7000.01')).toMatchObject({ code: 'insufficient_balance' });
    expect(transfer(pit, 'unified-trading', '7000')).toMatchObject({ status: 'completed' });
    expect(pit.money(pit.alice)).toBe('1000 2000 3000');
    expect(transfer(pit, 'funding', '7000')).toMatchObject({ status: 'completed' });
  });

  it('take no unrealised profit, and are not bound by an isolated loss', () => {
    const pit = leveraged(10);
    pit.exchange.futures.settings.setMarginType(pit.alice, PERP, 'isolated');
    pit.trade(pit.alice, 'buy', 20_000, '1');
    pit.mark(19_000);
    expect(transfer(pit, 'unified-trading', '8000')).toMatchObject({ status: 'completed' });
    pit.mark(25_000);
    expect(transfer(pit, 'unified-trading', '0.01')).toMatchObject({ code: 'insufficient_balance' });
  });
});

describe('liquidation', () => {
  it('isolated: at the mark that reaches maintenance, at the bankruptcy price with the fee, the rest is untouched', () => {
    const pit = leveraged(10);
    pit.exchange.futures.settings.setMarginType(pit.alice, PERP, 'isolated');
    pit.trade(pit.alice, 'buy', 20_000, '1');
    const resting = pit.place(pit.alice, { price: '15000', quantity: '0.1' });
    pit.mark(18_073);
    expect(pit.positions(pit.alice)).toHaveLength(1);
    pit.mark(18_072);
    expect(pit.positions(pit.alice)).toEqual([]);
    expect(resting).toMatchObject({ status: 'canceled', reason: 'liquidation' });
    // B = 18000 / 0.998 = 18036.07…, up to the tick 18036.1; fee 0.002 · B = 36.0722; loss 1963.9; 0.0278 left over.
    expect(pit.money(pit.alice)).toBe('8000.0278 0 8000.0278');
    expect(pit.closed(pit.alice)).toMatchObject([
      { quantity: '1', closePrice: '18036.1', realizedPnl: '-1963.9', fees: '36.0722', reason: 'liquidation' },
    ]);
    const last = pit.alice.history!.orders.at(-1)!;
    expect(orderReport(last)).toMatchObject({
      type: 'market',
      side: 'sell',
      status: 'filled',
      reason: 'liquidation',
      reduceOnly: true,
      averagePrice: '18036.1',
    });
    expect(pit.alice.history!.trades.at(-1)).toMatchObject({
      fee: '36.0722',
      realizedPnl: '-1963.9',
      liquidity: 'taker',
    });
    // The market took it over at 18072, the insurance has the difference of 35.9 and the fee.
    expect(pit.ofExchange('insurance')).toBe('71.9722');
    expect(pit.ofExchange('market')).toBe('1928');
  });

  it('a jump beyond bankruptcy is paid by the insurance account, not by the user', () => {
    const pit = leveraged(10);
    pit.exchange.futures.settings.setMarginType(pit.alice, PERP, 'isolated');
    pit.trade(pit.alice, 'sell', 20_000, '1');
    pit.mark(30_000);
    // B = 22000 / 1.002 = 21956.08…, down to 21956; fee 43.912; loss 1956.
    expect(pit.money(pit.alice)).toBe('8000.088 0 8000.088');
    expect(pit.ofExchange('insurance')).toBe('-8000.088');
    expect(pit.ofExchange('market')).toBe('10000');
  });

  it('cross: cancels spot and derivative orders first, and stops there when that suffices', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    const spot = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc', price: '5000' } as const;
    const lock = pit.exchange.placeSpot(pit.alice, { ...spot, quantity: '1' }, pit.now);
    pit.mark(15_000);
    expect(lock).toMatchObject({ status: 'canceled', reason: 'liquidation' });
    expect(pit.positions(pit.alice)).toHaveLength(1);
    expect(pit.money(pit.alice)).toBe('8000 2000 10000');
    pit.mark(10_040);
    expect(pit.positions(pit.alice)).toEqual([]);
    // B = 10000 / 0.998 = 10020.04…, up to 10020.1; fee 20.0402; loss 9979.9.
    expect(pit.money(pit.alice)).toBe('0.0598 0 0.0598');
  });

  it('cross: positions share what there is, gains of one pay for the other', () => {
    const pit = leveraged(10);
    pit.mark(1000, 'ETHUSDT');
    pit.exchange.futures.settings.setLeverage(pit.alice, 'ETHUSDTPERP', 10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    pit.trade(pit.alice, 'sell', 1000, '10', { symbol: 'ETHUSDTPERP' });
    pit.mark(900, 'ETHUSDT');
    pit.mark(9100);
    expect(pit.positions(pit.alice)).toHaveLength(2);
    pit.mark(9050);
    expect(pit.positions(pit.alice)).toEqual([]);
    const total = Number(pit.money(pit.alice).split(' ')[2]);
    expect(total).toBeGreaterThanOrEqual(0);
    expect(total).toBeLessThan(0.3);
    expect(pit.closed(pit.alice).map(({ symbol, reason }) => [symbol, reason])).toEqual([
      [PERP, 'liquidation'],
      ['ETHUSDTPERP', 'liquidation'],
    ]);
  });

  it('a balance that shrinks is enough: spending on spot liquidates', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    pit.mark(14_000);
    const spot = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'ioc', price: '14001' } as const;
    pit.exchange.placeSpot(pit.alice, { ...spot, quantity: '0.3' }, pit.now);
    pit.exchange.futures.check(pit.now);
    expect(pit.closed(pit.alice)).toMatchObject([{ reason: 'liquidation' }]);
  });
});

describe('funding', () => {
  it('longs pay rate · mark · quantity to shorts every eight hours, as transactions', () => {
    const pit = leveraged(10);
    pit.trade(pit.alice, 'buy', 20_000, '1');
    pit.trade(pit.bob, 'sell', 20_000, '0.5');
    pit.mark(21_000);
    pit.at(START + 900_000);
    // 0.0001 · 21000 · 1
    expect(pit.money(pit.alice)).toBe('7997.9 2000 9997.9');
    expect(pit.money(pit.bob)).toBe('9001.05 1000 10001.05');
    expect(pit.ofExchange('market')).toBe('1.05');
    const { items } = pit.exchange.money.transactions.list(pit.alice.userId, { type: 'funding' }, allItems);
    expect(items).toMatchObject([{ status: 'completed', currency: 'USDT', account: 'unified-trading' }]);
    expect(items[0]?.amount.toFixed()).toBe('-2.1');
    pit.at(START + 900_000 + 8 * HOUR);
    pit.trade(pit.alice, 'sell', 21_000, '1');
    expect(pit.closed(pit.alice)).toMatchObject([{ funding: '-4.2', realizedPnl: '1000', fees: '0' }]);
  });

  it('an isolated position pays from its margin, and may be liquidated by it', () => {
    const pit = leveraged(10, { ...noFees, futures: { fundingBaseRate: 0.005 } });
    pit.exchange.futures.settings.setMarginType(pit.alice, PERP, 'isolated');
    pit.trade(pit.alice, 'buy', 20_000, '1');
    pit.mark(18_100);
    pit.at(START + 900_000);
    // 2000 − 0.005 · 18100 = 1909.5; equity 9.5 is below the maintenance margin of 72.4
    expect(pit.closed(pit.alice)).toMatchObject([{ reason: 'liquidation', funding: '-90.5' }]);
    expect(Number(pit.money(pit.alice).split(' ')[2])).toBeCloseTo(8000, 0);
  });
});

describe('the terms', () => {
  const tier = { tier: 1, maxNotional: '100000', maxLeverage: 30, maintenanceMarginRate: '0.01' };

  it('are options: interval, rate, leverage, tiers, liquidation fee', () => {
    const futures = {
      liquidationFeeRate: '0',
      leverageDefault: 30,
      fundingIntervalHours: 1,
      fundingBaseRate: 0.001,
      riskTiers: { [PERP]: [tier] },
    };
    const pit = new Pit({ ...noFees, futures });
    pit.mark(20_000);
    const { settings } = pit.exchange.futures;
    expect(settings.setLeverage(pit.bob, PERP, 31)).toMatchObject({ code: 'leverage_too_high' });
    settings.setMarginType(pit.alice, PERP, 'isolated');
    pit.trade(pit.alice, 'buy', 20_000, '3');
    expect(pit.positions(pit.alice)).toMatchObject([{ leverage: '30', margin: '2000' }]);
    const perpetual = pit.exchange.futures.perpetuals.get(PERP)!;
    expect(perpetual.market.instrument.spec.fundingIntervalHours).toBe(1);
    pit.at(perpetual.nextFundingTime);
    expect(pit.positions(pit.alice)).toMatchObject([{ margin: '1940' }]);
    pit.mark(19_000);
    // Without a fee the price of bankruptcy is 20000 − 1940 / 3, up to the tick.
    expect(pit.closed(pit.alice)).toMatchObject([{ closePrice: '19353.4', fees: '0', funding: '-60' }]);
  });

  it('an interval that is no whole number of milliseconds settles at whole ones', () => {
    const pit = new Pit({ futures: { fundingIntervalHours: 0.333333 } });
    const { nextFundingTime } = pit.exchange.futures.perpetuals.get(PERP)!;
    expect(Number.isInteger(nextFundingTime)).toBe(true);
    expect(nextFundingTime - START).toBeLessThanOrEqual(1_199_999);
  });

  it('are refused when a table of tiers does not rise', () => {
    for (const second of [{ maxNotional: '100' }, { maintenanceMarginRate: '0.01' }, { maxLeverage: 40 }]) {
      const next = { tier: 2, maxNotional: '200000', maxLeverage: 20, maintenanceMarginRate: '0.02', ...second };
      expect(assumedSchema.safeParse({ futures: { riskTiers: { [PERP]: [tier, next] } } }).success).toBe(false);
    }
    expect(assumedSchema.safeParse({ futures: { riskTiers: { [PERP]: [] } } }).success).toBe(false);
    expect(assumedSchema.safeParse({ futures: { liquidationFeeRate: '1.5' } }).success).toBe(false);
  });
});
