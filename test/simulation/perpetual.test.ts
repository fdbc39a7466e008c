/** Perpetuals of the simulated venue (rules A3, A4, A5), with examples worked by hand. Ticks and lots are 1. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instruments } from '../../src/model/market/instrument.ts';
import type { FundingEvent, MarkEvent } from '../../src/model/market/market-event.ts';
import { dec, ZERO } from '../../src/model/numbers/money.ts';
import { SimulatedExchange } from '../../src/simulation/venue/exchange.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { perpetual, perpetualSpec, snapshot, spec } from './market.ts';
import { TestSession } from './session.ts';

const order = { symbol: 'AAABBBPERP', market: 'derivative' } as const;
const fees = { maker: 0, taker: 0 };
const HOUR_US = 3_600_000_000;

function session(perpetuals: object, start: Record<string, string> = { BBB: '1000' }): TestSession {
  const opened = new TestSession({ fees, perpetuals: { liquidationFee: 0, ...perpetuals } }, { start });
  opened.venue.start();
  book(opened, 100, 101);
  opened.pass(100);
  return opened;
}

/** A deep book of the perpetual. */
function book(opened: TestSession, bid: number, ask: number): void {
  const exchangeUs = opened.clock.nowUs();
  opened.market(snapshot({ [bid]: 1000 }, { [ask]: 1000 }, { instrument: perpetual, exchangeUs }));
  opened.pass(100);
}

function funding(opened: TestSession, rate: string, nextFundingTime: number): FundingEvent {
  return {
    kind: 'funding',
    instrument: perpetual,
    exchangeUs: opened.clock.nowUs(),
    receiveUs: 0,
    rate,
    nextFundingTime,
  };
}

function refusal(opened: TestSession, intentId: string): string {
  const outcome = opened.outcome(intentId);
  return outcome?.kind === 'refused' ? outcome.code : (outcome?.kind ?? 'none');
}

const positionOf = (opened: TestSession) => opened.of('positions').at(-1)?.positions[0];

describe('leverage', () => {
  it('margin is cost / leverage, and profit comes back with it', () => {
    const opened = session({ leverage: 10 });
    opened.place({ ...order, side: 'buy', quantity: '50' });
    opened.pass(100);
    // 50 · 101 / 10 = 505.
    expect(opened.balance('BBB')).toBe('495/505');
    expect(positionOf(opened)).toMatchObject({ quantity: '50', leverage: '10', margin: '505', marginType: 'cross' });
    book(opened, 110, 111);
    opened.place({ ...order, side: 'sell', quantity: '50', reduceOnly: true });
    opened.pass(100);
    expect(opened.balance('BBB')).toBe('1450/0');
  });

  it('A5: what the tiers do not allow at the leverage is refused', () => {
    const tiers = [
      { tier: 1, maxNotional: '2000', maxLeverage: 20, maintenanceMarginRate: '0.01' },
      { tier: 2, maxNotional: '100000', maxLeverage: 5, maintenanceMarginRate: '0.02' },
    ];
    const opened = session({ leverage: 20, tiers });
    const large = opened.place({ ...order, side: 'buy', quantity: '20' });
    const small = opened.place({ ...order, side: 'buy', quantity: '10', price: '100' });
    opened.pass(100);
    expect([refusal(opened, large), refusal(opened, small)]).toEqual(['leverage_too_high', 'accepted']);
    // 10 · 100 stand already: another 11 could make 2,100.
    const more = opened.place({ ...order, side: 'buy', quantity: '11', price: '100' });
    const other = opened.place({ ...order, side: 'sell', quantity: '11', price: '101' });
    opened.pass(100);
    expect([refusal(opened, more), refusal(opened, other)]).toEqual(['leverage_too_high', 'accepted']);
  });

  it('A5: a sell whose limit lies below the bids is taken for what it opens at, by balance and by tier', () => {
    const tiers = [
      { tier: 1, maxNotional: '2000', maxLeverage: 20, maintenanceMarginRate: '0.01' },
      { tier: 2, maxNotional: '100000', maxLeverage: 5, maintenanceMarginRate: '0.02' },
    ];
    const single = session({ leverage: 1, tiers });
    const dear = single.place({ ...order, side: 'sell', quantity: '15', price: '50' });
    const cheap = single.place({ ...order, side: 'sell', quantity: '9', price: '50' });
    single.pass(100);
    expect([refusal(single, dear), refusal(single, cheap)]).toEqual(['insufficient_balance', 'accepted']);
    expect(single.balance('BBB')).toBe('100/900');
    const geared = session({ leverage: 20, tiers });
    const large = geared.place({ ...order, side: 'sell', quantity: '21', price: '50' });
    geared.pass(100);
    expect(refusal(geared, large)).toBe('leverage_too_high');
  });

  it('what the open positions have lost backs no new order', () => {
    const opened = session({ leverage: 10 });
    opened.place({ ...order, side: 'buy', quantity: '50' });
    opened.pass(100);
    book(opened, 92, 93);
    // Available 495, lost 50 · 8.5 = 425: 70 are left, a margin of 9.3 · 7 = 65.1 but not of 9.3 · 8.
    const eight = opened.place({ ...order, side: 'buy', quantity: '8' });
    const seven = opened.place({ ...order, side: 'buy', quantity: '7' });
    opened.pass(100);
    expect([refusal(opened, eight), refusal(opened, seven)]).toEqual(['insufficient_balance', 'accepted']);
  });

  it('takes margin that funding has eaten from the money that comes in next', () => {
    const opened = session({ leverage: 2 }, { BBB: '1000', AAA: '5' });
    opened.market(snapshot({ 100: 1000 }, { 101: 1000 }, { exchangeUs: opened.clock.nowUs() }));
    opened.place({ ...order, side: 'buy', quantity: '18' });
    opened.pass(100);
    // 18 · 101 / 2 = 909.
    expect(opened.balance('BBB')).toBe('91/909');
    opened.market(funding(opened, '0.1', 0));
    opened.pass(100);
    // 0.1 · 100.5 · 18 = 180.9: all that was available, and 89.9 of the margin.
    expect(opened.balance('BBB')).toBe('0/819.1');
    opened.place({ symbol: 'AAABBB', market: 'spot', side: 'sell', quantity: '5' });
    opened.pass(100);
    expect(opened.balance('BBB')).toBe('410.1/909');
    const second = opened.place({ ...order, side: 'buy', quantity: '9' });
    opened.pass(100);
    expect(refusal(opened, second)).toBe('insufficient_balance');
  });

  it('tells its leverage before the first position, so that orders are judged by it', () => {
    const opened = session({ leverage: 1, symbols: { AAABBBPERP: { leverage: 7 } } });
    expect(opened.of('positions').flatMap(({ positions }) => positions.map(({ leverage }) => leverage))).toContain('7');
    expect(session({}).of('positions')).toMatchObject([{ positions: [] }]);
  });
});

describe('a transfer out of the trading account', () => {
  it('leaves what open cross positions have lost so far', () => {
    const opened = session({ leverage: 10 });
    opened.place({ ...order, side: 'buy', quantity: '50' });
    opened.pass(100);
    expect(opened.balance('BBB')).toBe('495/505');
    book(opened, 95, 97);
    // 50 · (101 − 96) = 250 are lost at the mark.
    for (const amount of ['245.01', '245']) {
      const request = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'BBB', amount } as const;
      opened.send({ kind: 'money', intentId: amount, lane: 'create', request });
    }
    opened.pass(100);
    expect(opened.of('money-outcome')).toMatchObject([
      { intentId: '245.01', outcome: { kind: 'refused', code: 'insufficient_balance' } },
      { intentId: '245', outcome: { kind: 'accepted' } },
    ]);
  });
});

describe('liquidation', () => {
  it('cross: the whole balance stands behind the position', () => {
    const opened = session({ leverage: 10 });
    opened.place({ ...order, side: 'buy', quantity: '50' });
    opened.pass(100);
    // (50 · 101 - 1000) / (50 · 0.995) = 81.407…
    expect(Number(positionOf(opened)?.liquidationPrice)).toBeCloseTo(81.407035, 5);
    book(opened, 81, 82);
    expect(opened.of('fill')).toHaveLength(1);
    book(opened, 80, 81);
    const fill = opened.of('fill').at(-1)?.fill;
    // Bankruptcy: 101 - 1000 / 50 = 81, better than the mark; the loss is what there was.
    expect(fill).toMatchObject({
      side: 'sell',
      price: '81',
      quantity: '50',
      realizedPnl: '-1000',
      positionSide: 'both',
    });
    expect(opened.balance('BBB')).toBe('0/0');
    expect(positionOf(opened)).toMatchObject({ quantity: '0', liquidationPrice: null });
    const told = opened.of('order').at(-1)?.order;
    expect(told).toMatchObject({ reason: 'liquidation', status: 'filled', reduceOnly: true, orderId: fill?.orderId });
    expect(told?.clientOrderId).toBeUndefined();
  });

  it('isolated: its own margin and no more', () => {
    const opened = session({ leverage: 10, marginType: 'isolated' });
    opened.place({ ...order, side: 'sell', quantity: '50' });
    opened.pass(100);
    // Margin 500; (5000 + 500) / (50 · 1.005) = 109.45…; bankruptcy at 110.
    expect(Number(positionOf(opened)?.liquidationPrice)).toBeCloseTo(109.452736, 5);
    book(opened, 109, 111);
    expect(opened.of('fill').at(-1)?.fill).toMatchObject({ side: 'buy', price: '110', realizedPnl: '-500' });
    expect(opened.balance('BBB')).toBe('500/0');
  });

  it('takes its fee at the bankruptcy price, so that exactly nothing is left', () => {
    const opened = session({ leverage: 10, liquidationFee: '0.01' });
    opened.place({ ...order, side: 'buy', quantity: '50' });
    opened.pass(100);
    book(opened, 60, 61);
    const fill = opened.of('fill').at(-1)?.fill;
    // 4050 / (50 · 0.99) = 81.81…, of which 1 % of the value is the fee.
    expect(Number(fill?.price)).toBeCloseTo(81.818182, 5);
    expect(Number(fill?.fee)).toBeCloseTo(40.909091, 5);
    expect(Number(fill?.realizedPnl) - Number(fill?.fee)).toBeCloseTo(-1000, 9);
    expect(Number(opened.balance('BBB').split('/')[0])).toBeLessThan(1e-12);
  });

  it('cancels open orders first, on spot too when they hold the same money', () => {
    const opened = session({ leverage: 10 });
    opened.market(snapshot({ 100: 1000 }, { 101: 1000 }, { exchangeUs: opened.clock.nowUs() }));
    opened.place({ ...order, side: 'buy', quantity: '50' });
    opened.place({ ...order, side: 'buy', quantity: '5', price: '10' });
    opened.place({ side: 'buy', quantity: '3', price: '50' });
    opened.pass(100);
    book(opened, 70, 71);
    const canceled = opened.of('order').filter(({ order: { status } }) => status === 'canceled');
    expect(canceled.map(({ order: { orderId, reason } }) => [orderId, reason])).toEqual([
      ['sim-2', 'liquidation'],
      ['sim-3', 'liquidation'],
    ]);
    expect(opened.balance('BBB')).toBe('0/0');
  });

  it('comes at a mark that did no harm before, once the money behind the position is spent', () => {
    const opened = session({ leverage: 10 });
    opened.market(snapshot({ 100: 1000 }, { 101: 1000 }, { exchangeUs: opened.clock.nowUs() }));
    opened.place({ ...order, side: 'buy', quantity: '50' });
    opened.pass(100);
    // 1000 + 50 · (86 − 101) = 250 are left.
    book(opened, 85, 87);
    book(opened, 85, 87);
    expect(positionOf(opened)).toMatchObject({ quantity: '50' });
    opened.place({ side: 'buy', quantity: '3', price: '101' });
    opened.pass(100);
    expect(positionOf(opened)).toMatchObject({ quantity: '0' });
  });

  it('is told to the observer with its numbers, and the mark that counts is the recorded one', () => {
    const reasons: string[] = [];
    const observer = {
      mid: () => {},
      filled: () => {},
      granted: () => {},
      marked: () => {},
      funded: () => {},
      settled: () => {},
      liquidated: (_fill: unknown, reason: string) => reasons.push(reason),
    };
    const opened = new TestSession({ fees, perpetuals: { leverage: 10 } }, { start: { BBB: '1000' }, observer });
    opened.venue.start();
    book(opened, 100, 101);
    opened.place({ ...order, side: 'buy', quantity: '50' });
    opened.pass(100);
    const mark = (markPrice: number): MarkEvent => ({
      kind: 'mark',
      instrument: perpetual,
      exchangeUs: opened.clock.nowUs(),
      receiveUs: 0,
      markPrice,
      indexPrice: markPrice,
    });
    opened.market(mark(95));
    book(opened, 70, 71);
    expect(reasons).toEqual([]);
    opened.market(mark(81));
    expect(reasons).toEqual([
      expect.stringMatching(/^long 50 AAABBBPERP liquidated at .* mark 81 the equity 0 BBB did/),
    ]);
  });
});

describe('hedge', () => {
  it('holds long and short side by side, each closed by its own orders alone', () => {
    const opened = session({ mode: 'hedge', leverage: 10 });
    opened.place({ ...order, side: 'buy', quantity: '5', positionSide: 'long' });
    opened.place({ ...order, side: 'sell', quantity: '3', positionSide: 'short' });
    opened.pass(100);
    expect(opened.of('positions').at(-1)?.positions).toMatchObject([
      { positionSide: 'long', quantity: '5', entryPrice: '101' },
      { positionSide: 'short', quantity: '3', entryPrice: '100' },
    ]);
    // 5 · 101 / 10 + 3 · 100 / 10.
    expect(opened.balance('BBB')).toBe('919.5/80.5');
    const beyond = opened.place({ ...order, side: 'sell', quantity: '6', positionSide: 'long' });
    const netted = opened.place({ ...order, side: 'sell', quantity: '1' });
    opened.pass(100);
    expect([refusal(opened, beyond), refusal(opened, netted)]).toEqual(['reduce_only_violation', 'illegal_transition']);
    opened.place({ ...order, side: 'buy', quantity: '3', positionSide: 'short' });
    opened.pass(100);
    expect(opened.of('fill').at(-1)?.fill).toMatchObject({ positionSide: 'short', realizedPnl: '-3' });
    expect(opened.venue.account().positions).toEqual([{ symbol: 'AAABBBPERP', quantity: '5', cost: '505' }]);
  });

  it('comes back after a restart, each side with its sign', async () => {
    const before = session({ mode: 'hedge' });
    before.place({ ...order, side: 'sell', quantity: '3', positionSide: 'short' });
    before.pass(100);
    const positions = await before.venue.query.positions();
    if (positions.kind !== 'complete') return expect.unreachable();
    const after = new TestSession({ fees, perpetuals: { mode: 'hedge' } });
    after.venue.restore({ orders: [], fills: [], balances: [], positions: positions.items });
    expect(after.venue.account().positions).toEqual([{ symbol: 'AAABBBPERP', quantity: '-3', cost: '-300' }]);
    const oneWay = new TestSession({ fees });
    expect(() => oneWay.venue.restore({ orders: [], fills: [], balances: [], positions: positions.items })).toThrow(
      expect.objectContaining({ code: 'simulation_state' }),
    );
  });
});

describe('funding', () => {
  function long(perpetuals: object = {}): TestSession {
    const opened = session(perpetuals);
    opened.place({ ...order, side: 'buy', quantity: '4' });
    opened.pass(100);
    return opened;
  }

  it('settles at the announced time, at the last announced rate and the mark of then, once', () => {
    const opened = long();
    const dueMs = 8 * 3_600_000;
    opened.market(funding(opened, '0.0005', dueMs));
    opened.market(funding(opened, '0.0001', dueMs));
    opened.clock.advanceTo(dueMs * 1000 - 1);
    book(opened, 119, 121);
    expect(opened.of('funding')).toEqual([]);
    book(opened, 120, 122);
    // −0.0001 · 120 · 4: the mark of before the message that tells the time.
    const paid = { currency: 'BBB', symbol: 'AAABBBPERP', amount: '-0.048' };
    expect(opened.of('funding').map(({ payment }) => payment)).toMatchObject([paid]);
    // The same settlement told by the data as well.
    opened.market(funding(opened, '0.0002', 0));
    opened.market(funding(opened, '0.0003', dueMs));
    book(opened, 120, 122);
    expect(opened.of('funding')).toHaveLength(1);
    opened.market(funding(opened, '-0.001', 2 * dueMs));
    opened.clock.advanceTo(2 * dueMs * 1000);
    book(opened, 120, 122);
    expect(opened.of('funding').at(-1)?.payment.amount).toBe('0.484');
  });

  it('settles at a configured rate where the data has none', () => {
    const opened = long({ fundingRate: '0.001' });
    book(opened, 100, 101);
    opened.clock.advanceTo(9 * HOUR_US);
    book(opened, 99, 101);
    opened.clock.advanceTo(17 * HOUR_US);
    book(opened, 99, 101);
    // 0.001 · 100.5 · 4 and 0.001 · 100 · 4.
    expect(opened.of('funding').map(({ payment }) => payment.amount)).toEqual(['-0.402', '-0.4']);
  });

  const amounts = (opened: TestSession) => opened.of('funding').map(({ payment }) => payment.amount);

  it('settles each time that the data tells, however fast they follow each other', () => {
    const opened = long();
    for (const hour of [1, 2, 3]) {
      opened.clock.advanceTo(hour * HOUR_US);
      opened.market(funding(opened, `0.00${hour}`, 0));
    }
    opened.pass(100);
    // −rate · 100.5 · 4.
    expect(amounts(opened)).toEqual(['-0.402', '-0.804', '-1.206']);
  });

  it('gives a configured rate up for what the data tells of the same time, and from then on', () => {
    const opened = long({ fundingRate: '0.01' });
    for (const hour of [8, 16, 24]) {
      opened.clock.advanceTo(hour * HOUR_US);
      opened.market(funding(opened, '0.001', 0));
    }
    opened.pass(100);
    expect(amounts(opened)).toEqual(['-0.402', '-0.402', '-0.402']);
  });

  it('keeps a settlement that waits for a mark when the next is announced', () => {
    const opened = long();
    opened.market(funding(opened, '0.001', (8 * HOUR_US) / 1000));
    opened.market({
      kind: 'gap',
      instrument: perpetual,
      exchangeUs: opened.clock.nowUs(),
      receiveUs: opened.clock.nowUs(),
      reason: 'test',
      fromUs: opened.clock.nowUs(),
      open: true,
    });
    opened.clock.advanceTo(9 * HOUR_US);
    opened.market(funding(opened, '0.002', (16 * HOUR_US) / 1000));
    expect(amounts(opened)).toEqual([]);
    opened.clock.advanceTo(17 * HOUR_US);
    book(opened, 100, 101);
    // The first book makes a mark, what comes after it is settled at it.
    book(opened, 100, 101);
    expect(amounts(opened)).toEqual(['-0.402', '-0.804']);
    expect(new Set(opened.of('funding').map(({ payment }) => payment.id)).size).toBe(2);
  });

  it('is paid by who held at its time, though the market says nothing between that and the next order', () => {
    const due = (8 * HOUR_US) / 1000;
    const closed = long();
    closed.market(funding(closed, '0.001', due));
    closed.clock.advanceTo(8 * HOUR_US + 1);
    closed.place({ ...order, side: 'sell', quantity: '4' });
    closed.pass(100);
    expect(amounts(closed)).toEqual(['-0.402']);
    const late = session({});
    late.market(funding(late, '0.001', due));
    late.clock.advanceTo(8 * HOUR_US + 1);
    late.place({ ...order, side: 'buy', quantity: '4' });
    late.pass(100);
    expect(amounts(late)).toEqual([]);
  });
});

describe('laws', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('place' as const),
      buys: fc.boolean(),
      opens: fc.boolean(),
      lots: fc.integer({ min: 1, max: 30 }),
      price: fc.option(fc.integer({ min: 60, max: 140 })),
    }),
    fc.record({ kind: fc.constant('book' as const), bid: fc.integer({ min: 50, max: 150 }) }),
    fc.record({ kind: fc.constant('funding' as const), bps: fc.integer({ min: -50, max: 50 }) }),
  );
  const modes = ['one-way', 'hedge'] as const;
  const marginTypes = ['cross', 'isolated'] as const;
  const book = (bid: number) => ({ kind: 'book' as const, bid });
  const buy = { kind: 'place' as const, buys: true, opens: true, lots: 30, price: null };
  /** 9 bought for 927 on a balance of 200, and a price that takes 382 of it: chance alone seldom liquidates. */
  const liquidated = [book(100), buy, book(102), buy, book(104), buy, book(60)];

  it('A4: balance = start + realised − fees + funding + what was insured, to the last digit; nothing is negative', () => {
    const settings = fc.record({
      mode: fc.constantFrom(...modes),
      marginType: fc.constantFrom(...marginTypes),
      leverage: fc.constantFrom<number>(1, 3, 10, 20),
    });
    const certain = modes.flatMap((mode) =>
      marginTypes.map((marginType) => [liquidated, { mode, marginType, leverage: 20 }] satisfies [unknown, unknown]),
    );
    let liquidations = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), settings, (steps, perpetuals) => {
        const exchange = new SimulatedExchange({
          instruments: new Instruments([spec, { ...perpetualSpec, contractSize: '0.1' }]),
          options: simulationOptions.parse({ perpetuals: { ...perpetuals, liquidationFee: '0.003' } }),
          start: { BBB: '200' },
          sync: () => ({ rule: 'none', start: 'updates' }),
        });
        exchange.open();
        let expected = dec('200');
        steps.forEach((move, index) => {
          const us = index * 10 * HOUR_US;
          if (move.kind === 'book')
            exchange.onMarket(
              snapshot({ [move.bid]: 40 }, { [move.bid + 1]: 40 }, { instrument: perpetual, exchangeUs: us }),
            );
          else if (move.kind === 'funding')
            exchange.onMarket({
              kind: 'funding',
              instrument: perpetual,
              exchangeUs: us,
              receiveUs: us,
              rate: String(move.bps / 10_000),
              nextFundingTime: 0,
            });
          else {
            const side = move.buys ? 'buy' : 'sell';
            const positionSide = perpetuals.mode === 'one-way' ? 'both' : move.buys === move.opens ? 'long' : 'short';
            exchange.create(
              {
                ...order,
                side,
                positionSide,
                type: move.price === null ? 'market' : 'limit',
                timeInForce: move.price === null ? 'ioc' : 'gtc',
                price: move.price === null ? null : String(move.price),
                quantity: String(move.lots),
                clientOrderId: `c${index}`,
                reduceOnly: !move.opens,
              },
              us,
            );
          }
          for (const event of exchange.takeEvents()) {
            if (event.kind === 'fill') expected = expected.plus(event.fill.realizedPnl ?? ZERO).minus(event.fill.fee);
            if (event.kind === 'funding') expected = expected.plus(event.payment.amount);
            if (event.kind === 'order' && event.order.reason === 'liquidation') liquidations++;
          }
          const balance = exchange.purse.wallet.pocket('BBB').row();
          expect(dec(balance.total).toFixed()).toBe(expected.plus(exchange.purse.insured('BBB')).toFixed());
          expect(dec(balance.available).gte(ZERO) && dec(balance.locked).gte(ZERO)).toBe(true);
          for (const [asset, sum] of exchange.purse.totals()) expect(sum.toFixed(), `sum of ${asset}`).toBe('0');
        });
      }),
      { numRuns: 150, examples: certain },
    );
    expect(liquidations).toBeGreaterThanOrEqual(certain.length);
  });
});
