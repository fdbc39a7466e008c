/** Programs that work an order: `twap`, `vwap`, `pov`, `iceberg`, `chase`, `grid`, `dca`, `rebalance`, `pair`. */
import { describe, expect, it } from 'vitest';
import { chase, dca, grid, iceberg, pair, pov, rebalance, stop, target, twap, vwap } from '../../src/index.ts';
import type { Action } from '../../src/model/trading/action.ts';
import { BTC, denials, HandClock, makeRig, PERP, trading, type Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, rests, size, submit, SYMBOL } from './program-rig.ts';

const base = { symbol: SYMBOL, side: 'buy', quantity: '0.04' } as const;

function bought(rig: Rig): number {
  return rig.venue.trades.reduce((sum, { side, quantity }) => sum + (side === 'buy' ? 1 : -1) * Number(quantity), 0);
}

describe('a twap', () => {
  it('waits at the touch, then crosses, slice by slice, and ends with the exact quantity', () => {
    const rig = programRig();
    submit(rig, twap({ ...base, over: '40s', slices: 4 }));
    expect(resting(rig)).toEqual(['buy 0.01 @ 60000']);
    fills(rig, 'buy');
    rig.clock.advance(10_001);
    expect(resting(rig)).toEqual(['buy 0.01 @ 60000']);
    fills(rig, 'buy', '60000', '0.004');
    rig.clock.advance(5_000);
    expect(resting(rig)).toEqual(['buy 0.006 @ market']);
    fills(rig, 'buy', '60001');
    rig.clock.advance(5_000);
    fills(rig, 'buy');
    rig.clock.advance(10_000);
    fills(rig, 'buy');
    expect(programOf(rig)).toMatchObject({ state: 'done', filled: '0.04', quantity: '0.04' });
    expect(bought(rig)).toBeCloseTo(0.04, 12);
  });

  it('hands what a slice has left to the next one', () => {
    const rig = programRig();
    submit(rig, twap({ ...base, over: '40s', slices: 4, urgency: 'low' }));
    rig.clock.advance(10_001);
    expect(resting(rig)).toEqual(['buy 0.02 @ 60000']);
  });

  it('never trades beyond its limit, and says what is left', () => {
    const rig = programRig();
    submit(rig, twap({ ...base, over: '10s', slices: 2, limit: 59_990 }));
    for (let second = 0; second < 60; second++) rig.clock.advance(1_000);
    expect(rig.venue.creates().every(({ price }) => price !== null && Number(price) <= 59_990)).toBe(true);
    expect(programOf(rig)).toMatchObject({ state: 'failed', reason: '0.04 is left at the end' });
  });

  it('is denied where a slice would be no order', () => {
    const rig = programRig();
    submit(rig, twap({ ...base, quantity: '0.0004', over: '10m', slices: 100 }));
    submit(rig, twap({ ...base, over: 'soon' }));
    expect(denials(rig)).toEqual(['below_minimum', 'unsupported']);
  });

  it('comes to its end where a slice is no whole number of ms', () => {
    const rig = programRig();
    submit(rig, twap({ ...base, quantity: '0.12345', over: '10s', slices: 7, urgency: 'high' }));
    for (let step = 0; step < 120; step++) {
      if (rig.venue.resting().length > 0) fills(rig, 'buy', '60001');
      rig.clock.advance(100);
    }
    expect(programOf(rig)).toMatchObject({ state: 'done', filled: '0.12345' });
  });

  it('as vwap follows the curve', () => {
    const rig = programRig();
    submit(rig, vwap({ ...base, over: '20s', curve: [1, 3], urgency: 'high' }));
    expect(resting(rig)).toEqual(['buy 0.01 @ market']);
    fills(rig, 'buy', '60001');
    rig.clock.advance(10_001);
    expect(resting(rig)).toEqual(['buy 0.03 @ market']);
  });
});

describe('a pov', () => {
  it('takes its share of what is printed, and no more than its quantity', () => {
    const rig = programRig();
    submit(rig, pov({ ...base, participation: 0.1, over: '1m' }));
    expect(rig.venue.creates()).toEqual([]);
    rig.market.print(60_000, 0.1);
    expect(resting(rig)).toEqual(['buy 0.01 @ market']);
    rig.market.print(60_000, 0.1);
    fills(rig, 'buy', '60001');
    expect(resting(rig)).toEqual(['buy 0.01 @ market']);
    rig.market.print(60_000, 10);
    fills(rig, 'buy', '60001');
    fills(rig, 'buy', '60001');
    expect(programOf(rig)).toMatchObject({ state: 'done', filled: '0.04' });
  });

  it('ends with its time, and says what is left', () => {
    const rig = programRig();
    submit(rig, pov({ ...base, participation: 0.1, over: '1m' }));
    rig.clock.advance(61_000);
    expect(programOf(rig)).toMatchObject({ state: 'failed', reason: '0.04 is left at the end' });
  });
});

describe('a pov beside another program that listens to trades', () => {
  it.each([
    ['nobody', []],
    ['a pov', [pov({ ...base, side: 'sell', participation: 1e-6, over: '1h' })]],
    ['a stop by last', [stop({ ...base, side: 'sell', trigger: 50_000, by: 'last' })]],
  ])('counts prints from its own start on: %s', (_, others) => {
    const rig = programRig();
    submit(rig, others);
    rig.market.print(60_000, 10);
    submit(rig, pov({ ...base, participation: 0.1, over: '1m' }));
    expect(rig.venue.creates()).toEqual([]);
    rig.market.print(60_000, 0.1);
    expect(resting(rig)).toEqual(['buy 0.01 @ market']);
  });
});

describe('an iceberg', () => {
  it('shows a part at a time, and the rest that is no order with the last', () => {
    const rig = programRig();
    submit(rig, iceberg({ ...base, quantity: '0.02005', price: 59_990, show: '0.01' }));
    expect(resting(rig)).toEqual(['buy 0.01 @ 59990']);
    fills(rig, 'buy', undefined, '0.004');
    expect(rig.venue.creates()).toHaveLength(1);
    fills(rig, 'buy');
    expect(resting(rig)).toEqual(['buy 0.01005 @ 59990']);
    fills(rig, 'buy');
    expect(programOf(rig)).toMatchObject({ state: 'done', filled: '0.02005' });
  });
});

describe('a chase', () => {
  it('follows the touch as maker with one order at a time', () => {
    const rig = programRig();
    submit(rig, chase({ ...base, within: 50, crossAfter: '30s' }));
    expect(resting(rig)).toEqual(['buy 0.04 @ 60000']);
    rig.market.move(60_020);
    expect(resting(rig)).toEqual(['buy 0.04 @ 60020']);
    rig.market.move(60_200);
    expect(resting(rig)).toEqual(['buy 0.04 @ 60050']);
    rig.clock.advance(30_001);
    expect(resting(rig)).toEqual(['buy 0.04 @ market']);
  });

  it('sends no second order while the cancel of the first is not proved', () => {
    const rig = programRig();
    submit(rig, chase({ ...base }));
    rig.venue.cancelMode = 'hold';
    for (const bid of [60_010, 60_020, 60_030]) rig.market.move(bid);
    expect(rig.venue.creates()).toHaveLength(1);
  });
});

describe('a grid', () => {
  const terms = { symbol: SYMBOL, low: 59_000, high: 61_000, levels: 5, quantity: '0.01' } as const;

  it('places the opposite of each fill one level away, again and again', () => {
    const rig = programRig();
    submit(rig, grid({ ...terms, side: 'long' }));
    expect(resting(rig)).toEqual(['buy 0.01 @ 59000', 'buy 0.01 @ 59500', 'buy 0.01 @ 60000']);
    rig.venue.tellFill(rests(rig, 'buy').orderId, '0.01');
    expect(resting(rig)).toContain('sell 0.01 @ 60500');
    fills(rig, 'sell');
    expect(resting(rig)).toEqual(['buy 0.01 @ 59000', 'buy 0.01 @ 59500', 'buy 0.01 @ 60000']);
  });

  it('has one order at a level: no buy where its own sell rests', () => {
    const rig = programRig();
    submit(rig, grid({ ...terms, side: 'long' }));
    fills(rig, 'buy');
    expect(resting(rig)).toContain('sell 0.01 @ 60500');
    rig.market.move(60_500);
    expect(resting(rig).filter((order) => order.endsWith('@ 60500'))).toEqual(['sell 0.01 @ 60500']);
    fills(rig, 'sell');
    expect(resting(rig)).toContain('buy 0.01 @ 60500');
    expect(denials(rig)).toEqual([]);
  });

  it('in neutral sells above and buys below', () => {
    const rig = programRig();
    submit(rig, grid({ ...terms, side: 'neutral' }));
    expect([...resting(rig)].toSorted()).toEqual([
      'buy 0.01 @ 59000',
      'buy 0.01 @ 59500',
      'buy 0.01 @ 60000',
      'sell 0.01 @ 61000',
    ]);
  });

  it('keeps the place of what a partial fill leaves, and buys no fee again', () => {
    const specs = [{ ...BTC, lotSize: '0.0000001', minQuantity: '0.0000001', minNotional: '0.0000001' }];
    const rig = programRig({ specs });
    submit(rig, grid({ ...terms, side: 'long', low: 60_000, levels: 2 }));
    const { orderId } = rests(rig, 'buy');
    const fee = { fee: '0.00001', feeCurrency: 'BTC' };
    for (let round = 0; round < 3; round++) {
      const order = rests(rig, 'buy').orderId;
      rig.venue.tellFill(order, '0.005', undefined, fee);
      expect(resting(rig)).toEqual(['buy 0.01 @ 60000', 'sell 0.00499 @ 61000']);
      rig.venue.tellFill(order, '0.005', undefined, fee);
      expect(resting(rig)).toEqual(['sell 0.00998 @ 61000']);
      fills(rig, 'sell');
    }
    expect(rests(rig, 'buy').orderId).not.toBe(orderId);
    expect(rig.venue.creates()).toHaveLength(10);
  });

  it('leaves whole at its stop', () => {
    const rig = programRig();
    submit(rig, grid({ ...terms, side: 'long', stopLoss: 58_000 }));
    fills(rig, 'buy');
    fills(rig, 'buy');
    rig.market.move(57_900);
    expect(resting(rig)).toEqual(['sell 0.02 @ market']);
    fills(rig, 'sell', '57900');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'stopLoss' });
  });

  it.each([
    ['wrong_side', { low: 61_000, high: 59_000 }],
    ['unsupported', { levels: 1 }],
    ['wrong_side', { stopLoss: 60_000 }],
    ['below_minimum', { quantity: '0.00001' }],
  ] as const)('is denied as %s', (reason, wrong) => {
    const rig = programRig();
    submit(rig, grid({ ...terms, ...wrong }));
    expect(denials(rig)).toEqual([reason]);
  });
});

describe('a dca', () => {
  const levels = [
    { bps: 0, quantity: '0.01' },
    { bps: 100, quantity: '0.01' },
  ];

  it('averages in and leaves all at once from the average', () => {
    const rig = programRig();
    submit(rig, dca({ symbol: SYMBOL, levels, takeProfit: { bps: 100 } }));
    expect(resting(rig)).toEqual(['buy 0.01 @ 60001', 'buy 0.01 @ 59400.99']);
    rig.venue.tellFill(rig.venue.resting()[0]!.orderId, '0.01');
    expect(resting(rig)).toEqual(['buy 0.01 @ 59400.99', 'sell 0.01 @ 60601.01']);
    fills(rig, 'buy');
    expect(resting(rig)).toEqual(['sell 0.02 @ 60298.01']);
    fills(rig, 'sell');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'takeProfit' });
  });

  it('begins again after its cooldown', () => {
    const rig = programRig();
    submit(rig, dca({ symbol: SYMBOL, levels, takeProfit: { bps: 100 }, cooldown: '5s' }));
    rig.venue.tellFill(rig.venue.resting()[0]!.orderId, '0.01');
    fills(rig, 'sell');
    expect(resting(rig)).toEqual([]);
    rig.clock.advance(5_001);
    expect(resting(rig)).toEqual(['buy 0.01 @ 60001', 'buy 0.01 @ 59400.99']);
  });
});

describe('what fees in base leave of a dca, less than a lot', () => {
  it.each(['by another one', 'in its next round'])('is sold %s: it does not pile up', (how) => {
    const rig = programRig();
    const isOne = how !== 'by another one';
    const terms = {
      symbol: SYMBOL,
      levels: [{ bps: 0, quantity: '0.02' }],
      takeProfit: { bps: 100 },
      ...(isOne ? { cooldown: '500ms' } : {}),
    };
    for (let round = 1; round <= 6; round++) {
      if (!isOne || round === 1) submit(rig, dca(terms));
      rig.venue.tellFill(rests(rig, 'buy').orderId, '0.02', '60000', { fee: '0.000015', feeCurrency: 'BTC' });
      expect(rests(rig, 'sell').quantity).toBe(round % 2 === 0 ? '0.01999' : '0.01998');
      fills(rig, 'sell');
      expect(size(rig)).toBeLessThan(0.00001);
      rig.clock.advance(1_000);
    }
    expect(rig.executor.account('maker').position(SYMBOL).isFlat).toBe(true);
  });
});

describe('a rebalance', () => {
  const ETH = { ...BTC, symbol: 'ETHUSDT', base: 'ETH' };

  it('sells first, then buys, the fewest trades', () => {
    const rig = makeRig({ specs: [BTC, ETH], clock: new HandClock(), risk: { priceCollar: 0.5 } });
    rig.venue.emit({
      kind: 'balances',
      balances: [trading('USDT', '0'), trading('BTC', '10'), trading('ETH', '0')],
      whole: true,
    });
    submit(rig, rebalance({ weights: { BTC: 0.5, ETH: 0.3 }, band: 0.01 }));
    expect(rig.venue.creates()).toMatchObject([{ symbol: 'BTCUSDT', side: 'sell', quantity: '5' }]);
    rig.venue.emit({ kind: 'balances', balances: [trading('USDT', '300000'), trading('BTC', '5')], whole: false });
    fills(rig, 'sell', '60000');
    expect(rig.venue.creates()[1]).toMatchObject({ symbol: 'ETHUSDT', side: 'buy', quantity: '3' });
    fills(rig, 'buy', '60001');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'balanced' });
  });

  it('is denied with weights above one, or a currency that is not traded', () => {
    const rig = programRig();
    submit(rig, rebalance({ weights: { BTC: 1.5 }, band: 0.01 }));
    submit(rig, rebalance({ weights: { BTC: 0.6, USDT: 0.6 }, band: 0.01 }));
    submit(rig, rebalance({ weights: { DOGE: 0.5 }, band: 0.01 }));
    expect(denials(rig)).toEqual(['unsupported', 'bad_fraction', 'unknown_symbol']);
  });
});

/** The first leg buys, the second cannot follow, and the first goes back. */
function undoes(rig: Rig): void {
  fills(rig, 'buy', '60000');
  const { orderId } = rests(rig, 'sell');
  rig.venue.end(orderId, 'rejected');
  rig.venue.tell(orderId);
  rig.venue.createMode = 'refuse';
  rig.clock.advance(9_000);
  rig.venue.createMode = 'accept';
  rig.clock.advance(20_000);
  expect(resting(rig).filter((order) => order.startsWith('sell 0.01'))).toEqual(['sell 0.01 @ market']);
  fills(rig, 'sell', '60000');
  expect(programOf(rig)).toMatchObject({ state: 'failed' });
}

describe('a pair', () => {
  const ETH = { ...BTC, symbol: 'ETHUSDT', base: 'ETH' };
  const legs = [
    { symbol: 'BTCUSDT', ratio: 1 },
    { symbol: 'ETHUSDT', ratio: -10 },
  ];
  const pairRig = (): Rig => {
    const rig = makeRig({ specs: [BTC, ETH], clock: new HandClock(), risk: { priceCollar: 0.5 } });
    rig.venue.emit({ kind: 'balances', balances: [trading('ETH', '10')], whole: false });
    return rig;
  };
  const action: Action = pair({ legs, quantity: '0.01', maxUnhedged: '0.001', within: '10s' });

  it('is done when both legs are', () => {
    const rig = pairRig();
    submit(rig, action);
    expect(rig.venue.creates()).toMatchObject([
      { symbol: 'BTCUSDT', side: 'buy', quantity: '0.01' },
      { symbol: 'ETHUSDT', side: 'sell', quantity: '0.1' },
    ]);
    fills(rig, 'buy', '60000');
    fills(rig, 'sell', '60000');
    expect(programOf(rig).state).toBe('done');
  });

  it('undoes what is ahead when the other leg cannot follow', () => {
    const rig = pairRig();
    submit(rig, action);
    undoes(rig);
    expect(bought(rig)).toBeCloseTo(0, 12);
  });
});

describe('a pair beside the opposite position of its strategy', () => {
  const ETH = { ...PERP, symbol: 'ETHUSDTPERP', base: 'ETH' };
  const legs = [
    { symbol: PERP.symbol, ratio: 1 },
    { symbol: ETH.symbol, ratio: -10 },
  ];

  it('undoes what is ahead, though that reduces nothing', () => {
    const rig = makeRig({ specs: [PERP, ETH], clock: new HandClock(), risk: { priceCollar: 0.5 } });
    rig.venue.start();
    submit(rig, { kind: 'place', symbol: PERP.symbol, side: 'sell', type: 'market', quantity: '0.03' });
    fills(rig, 'sell', '60000');
    submit(rig, pair({ legs, quantity: '0.01', maxUnhedged: '0.001', within: '10s' }));
    undoes(rig);
    expect(rig.executor.account('maker').position(PERP.symbol).size).toBeCloseTo(-0.03, 12);
  });
});

describe('a target by a program', () => {
  it('works what is missing, and a newer target ends it first', () => {
    const rig = programRig();
    submit(rig, target(SYMBOL, { quantity: '0.04', via: { twap: { over: '40s', slices: 4 } } }));
    expect(programOf(rig)).toMatchObject({ kind: 'twap', quantity: '0.04' });
    fills(rig, 'buy');
    rig.clock.advance(10_001);
    rig.venue.cancelMode = 'hold';
    submit(rig, target(SYMBOL, { quantity: '0', via: { chase: { crossAfter: '5s' } } }));
    expect(rig.executor.programs()).toHaveLength(1);
    const { orderId } = rests(rig, 'buy');
    rig.venue.end(orderId, 'canceled');
    rig.venue.tell(orderId);
    expect(programOf(rig)).toMatchObject({ kind: 'chase', quantity: '0.01', state: 'working' });
    expect(resting(rig)).toEqual(['sell 0.01 @ 60001']);
    fills(rig, 'sell');
    expect(programOf(rig).state).toBe('done');
    expect(bought(rig)).toBeCloseTo(0, 12);
  });
});

describe('a target by other means than the one before', () => {
  it('ends the program before it trades at market', () => {
    const rig = programRig();
    submit(rig, target(SYMBOL, { quantity: '0.04', via: { chase: {} } }));
    expect(resting(rig)).toEqual(['buy 0.04 @ 60000']);
    submit(rig, target(SYMBOL, { quantity: '0.01', via: 'market' }));
    expect(programOf(rig).state).toBe('canceled');
    expect(resting(rig)).toEqual(['buy 0.01 @ market']);
  });

  it('cancels the limit order before a program begins', () => {
    const rig = programRig();
    submit(rig, target(SYMBOL, { quantity: '0.04', via: { limit: { price: 59_000 } } }));
    submit(rig, target(SYMBOL, { quantity: '0.04', via: { chase: {} } }));
    expect(resting(rig)).toEqual(['buy 0.04 @ 60000']);
  });
});

describe('programs that would trade with each other', () => {
  it('wait for each other instead of cancelling each other without end', () => {
    const rig = programRig();
    submit(rig, iceberg({ ...base, show: '0.01', price: 60_000.5, ref: 'buys' }));
    submit(rig, iceberg({ ...base, side: 'sell', show: '0.01', price: 60_000.4, ref: 'sells' }));
    for (let second = 0; second < 10; second++) rig.clock.advance(1_000);
    expect(resting(rig)).toEqual(['buy 0.01 @ 60000.5']);
    expect(rig.venue.creates()).toHaveLength(1);
    expect(denials(rig)).toEqual(['would_cross']);
    submit(rig, { kind: 'cancel', ref: 'buys' });
    rig.clock.advance(1_000);
    expect(resting(rig)).toEqual(['sell 0.01 @ 60000.4']);
  });

  it('do not wait to leave at market', () => {
    const rig = programRig();
    submit(rig, { kind: 'place', symbol: base.symbol, side: 'buy', type: 'market', quantity: '0.04' });
    fills(rig, 'buy', '60001');
    submit(rig, iceberg({ ...base, show: '0.01', price: 60_000, ref: 'buys' }));
    submit(rig, stop({ ...base, side: 'sell', trigger: 59_990, ref: 'leaves' }));
    rig.market.move(59_980);
    expect(resting(rig)).toContain('sell 0.04 @ market');
  });
});
