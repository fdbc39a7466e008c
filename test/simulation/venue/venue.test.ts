/** Rules T3, T4, T6, A1, A2, A4, A5 and the defaults, on the whole venue in virtual time. */
import { describe, expect, it } from 'vitest';
import { denied } from '../../../src/model/trading/deny-reason.ts';
import type { FundingEvent, MarkEvent } from '../../../src/model/market/market-event.ts';
import { perpetual, snapshot, trade } from '../market.ts';
import { TestSession } from '../session.ts';

const book = snapshot({ 100: 10, 99: 20 }, { 101: 5, 102: 7 });

function started(options: unknown = {}, over: ConstructorParameters<typeof TestSession>[1] = {}): TestSession {
  const session = new TestSession(options, over);
  session.venue.start();
  session.market(book);
  session.market(snapshot({ 100: 10 }, { 101: 5 }, { instrument: perpetual }));
  session.pass(100);
  return session;
}

describe('start', () => {
  it('tells that it is ready, then the whole account, then what money knows', () => {
    const session = new TestSession({}, { start: { BBB: '100000' } });
    session.venue.start();
    session.pass(0);
    const kinds = session.told.map(({ event }) => event.kind);
    expect(kinds.slice(0, 3)).toEqual(['stream', 'balances', 'positions']);
    expect(kinds.slice(3)).toEqual(['p2pProfile', 'p2pMarkets', 'p2pTrades', 'advertisements', 'accounts']);
    expect(session.balance('BBB')).toBe('100000/0');
  });

  it('defaults: 100,000 of quote, and base worth 100,000 at the first mid in whole lots', () => {
    const session = started();
    expect(session.balance('BBB')).toBe('100000/0');
    expect(session.balance('AAA')).toBe('995/0');
  });

  it('takes configured start balances in their place', () => {
    const session = started({}, { start: { BBB: '50', CCC: '1.5' } });
    expect([session.balance('AAA'), session.balance('BBB'), session.balance('CCC')]).toEqual(['none', '50/0', '1.5/0']);
  });

  it('says what it assumes', () => {
    expect(started().venue.assumptions()).toMatchObject({
      queue: 'prob, f = x^3, p = f(b)/(f(b) + f(a))',
      fees: { maker: '0.0002', taker: '0.0005' },
      latency: { entryMs: 25, responseMs: 25, baseMs: 1 },
      exchange: 'partial-fill',
      watermarkMs: null,
    });
  });

  it('is an error to start without a listener or to listen twice', () => {
    const session = new TestSession();
    expect(() => session.venue.listen(() => {})).toThrow(expect.objectContaining({ code: 'simulation_listener' }));
  });
});

describe('time', () => {
  it('T3: a command arrives after entry latency, its answer returns after response latency', () => {
    const session = started({ latency: { entryMs: 10, responseMs: 30 } });
    const intent = session.place({ side: 'buy', price: '101', quantity: '3' });
    const sentUs = session.clock.nowUs();
    session.pass(100);
    const answer = session.told.find(({ event }) => event.kind === 'outcome');
    expect(answer?.us).toBe(sentUs + 40_000);
    expect(session.outcome(intent)).toMatchObject({
      kind: 'accepted',
      order: { status: 'filled', averagePrice: '101' },
    });
    expect(session.of('fill').map(({ fill }) => fill.ts)).toEqual([Math.floor((sentUs + 10_000) / 1000)]);
  });

  it('tells the average of fills at one price and at several', () => {
    const session = started();
    const intent = session.place({ side: 'buy', price: '102', quantity: '8' });
    session.pass(100);
    expect(session.outcome(intent)).toMatchObject({ order: { filledQuantity: '8', averagePrice: '101.375' } });
    session.place({ side: 'buy', price: '100', quantity: '4' });
    session.pass(100);
    for (const lots of [11, 1, 9])
      session.market(trade('sell', 100, lots, { exchangeUs: session.clock.nowUs() + 500 }));
    session.pass(100);
    const averages = session.reports().filter(({ price }) => price === '100');
    expect(averages.map(({ averagePrice }) => averagePrice)).toEqual([null, '100', '100', '100']);
  });

  it('T3: fills reach the strategy at their exchange time plus response latency', () => {
    const session = started();
    session.place({ side: 'buy', price: '100', quantity: '3' });
    session.pass(100);
    const printUs = session.clock.nowUs() + 500;
    session.market(trade('sell', 99, 1, { exchangeUs: printUs }));
    session.pass(100);
    expect(session.told.find(({ event }) => event.kind === 'fill')?.us).toBe(printUs + 25_000);
  });

  it('T3: orders of one connection never overtake, whatever the draw', () => {
    const session = started({ latency: { model: 'lognormal', sigma: 2, correlation: 0 } });
    const intents = Array.from({ length: 50 }, () => session.place({ side: 'buy', price: '90', quantity: '1' }));
    session.pass(100_000);
    expect(session.of('outcome').map(({ intentId }) => intentId)).toEqual(intents);
    const answers = session.told.filter(({ event }) => event.kind === 'outcome').map(({ us }) => us);
    expect(new Set(answers).size).toBeGreaterThan(5);
  });

  it('T3: what arrives in the same instant is taken in order and answered together, the money as it is after all of it', () => {
    const session = started();
    session.place({ side: 'buy', price: '90', quantity: '1' });
    session.pass(100);
    const before = session.told.length;
    const cancel = session.cancel('sim-1');
    const second = session.place({ side: 'buy', price: '80', quantity: '1' });
    session.pass(100);
    const told = session.told.slice(before);
    expect(new Set(told.map(({ us }) => us)).size).toBe(1);
    expect(told.map(({ event }) => event.kind)).toEqual(['outcome', 'outcome', 'balances']);
    expect(session.outcome(cancel)).toMatchObject({
      kind: 'accepted',
      order: { orderId: 'sim-1', status: 'canceled' },
    });
    expect(session.outcome(second)).toMatchObject({ kind: 'accepted', order: { orderId: 'sim-2', status: 'new' } });
    expect(session.balance('BBB')).toMatch(/\/80$/);
  });

  it('T4: a market event at the instant of arrival comes before the command', () => {
    const session = started({ latency: { entryMs: 10 } });
    session.place({ side: 'buy', price: '101', quantity: '3' });
    const arrivalUs = session.clock.nowUs() + 10_000;
    session.clock.schedule(arrivalUs, 'venue', () =>
      session.venue.onMarket(snapshot({ 100: 10 }, { 105: 5 }, { exchangeUs: arrivalUs })),
    );
    session.pass(100);
    expect(session.of('fill')).toEqual([]);
    expect(session.reports().at(-1)?.status).toBe('new');
  });

  it('M8: the strategy learns of a fill that beat its cancel after response latency', () => {
    const session = started();
    session.place({ side: 'buy', price: '100', quantity: '3' });
    session.pass(100);
    const cancel = session.cancel('sim-1');
    session.market(trade('sell', 99, 1, { exchangeUs: session.clock.nowUs() + 20_000 }));
    session.pass(100);
    expect(session.outcome(cancel)).toMatchObject({ kind: 'refused', code: 'order_closed' });
    const kinds = session.told.map(({ event }) => event.kind);
    expect(kinds.indexOf('fill')).toBeLessThan(kinds.lastIndexOf('outcome'));
  });

  it('a denied dispatch never arrives', () => {
    const session = started();
    session.send({ kind: 'cancelMany', intentId: 'x', lane: 'cancel', orderIds: [] }, () => denied('killed', 'off'));
    session.pass(0);
    expect(session.outcome('x')).toMatchObject({ kind: 'denied', denied: { reason: 'killed' } });
  });
});

describe('money', () => {
  it('A1: a resting buy locks exactly price × quantity of quote, a sell its base, nothing for fees', () => {
    const session = started();
    session.place({ side: 'buy', price: '99', quantity: '7' });
    session.place({ side: 'sell', price: '105', quantity: '5' });
    session.pass(100);
    expect([session.balance('BBB'), session.balance('AAA')]).toEqual(['99307/693', '990/5']);
    session.cancel('sim-1');
    session.cancel('sim-2');
    session.pass(100);
    expect([session.balance('BBB'), session.balance('AAA')]).toEqual(['100000/0', '995/0']);
  });

  it('A1: fees come from the asset received: base on buys, quote on sells', () => {
    const session = started();
    session.place({ side: 'buy', price: '101', quantity: '4' });
    session.place({ side: 'sell', quantity: '10' });
    session.pass(100);
    expect(session.of('fill').map(({ fill }) => [fill.fee, fill.feeCurrency, fill.liquidity])).toEqual([
      ['0.002', 'AAA', 'taker'],
      ['0.5', 'BBB', 'taker'],
    ]);
    expect([session.balance('BBB'), session.balance('AAA')]).toEqual(['100595.5/0', '988.998/0']);
  });

  it('A1: a limit that fills better than its price gets the difference back', () => {
    const session = started({ fees: { maker: 0, taker: 0 } });
    session.place({ side: 'buy', price: '102', quantity: '7' });
    session.pass(100);
    expect(session.balance('BBB')).toBe('99291/0');
  });

  it('A5: refuses as the exchange would', () => {
    const session = started();
    const cases = [
      [{ side: 'buy', price: '100.5', quantity: '1' }, 'off_tick'],
      [{ side: 'buy', price: '100', quantity: '1.5' }, 'off_lot'],
      [{ side: 'buy', price: '100', quantity: '0' }, 'below_minimum'],
      [{ side: 'buy', price: '100', quantity: '1000001' }, 'above_maximum'],
      [{ side: 'buy', price: '100', quantity: '1001' }, 'insufficient_balance'],
      [{ side: 'sell', price: '100', quantity: '996' }, 'insufficient_balance'],
      [{ side: 'sell', quantity: '996' }, 'insufficient_balance'],
      [{ side: 'buy', price: '100', quantity: '1', symbol: 'NOPE' }, 'unknown_symbol'],
      [{ side: 'buy', price: '100', quantity: '1', reduceOnly: true }, 'bad_request'],
      [
        { side: 'sell', price: '100', quantity: '1', reduceOnly: true, symbol: 'AAABBBPERP', market: 'derivative' },
        'reduce_only_violation',
      ],
      [
        { side: 'sell', quantity: '1001', price: '100', symbol: 'AAABBBPERP', market: 'derivative' },
        'insufficient_balance',
      ],
    ] as const;
    for (const [order, code] of cases) {
      const intent = session.place(order);
      session.pass(100);
      expect(session.outcome(intent), code).toMatchObject({ kind: 'refused', code });
    }
    session.place({ side: 'buy', price: '90', quantity: '1', clientOrderId: 'twice' });
    const twice = session.place({ side: 'buy', price: '90', quantity: '1', clientOrderId: 'twice' });
    const unknown = session.cancel('sim-99');
    session.pass(100);
    expect(session.outcome(twice)).toMatchObject({ code: 'duplicate_client_order_id' });
    expect(session.outcome(unknown)).toMatchObject({ code: 'unknown_order' });
  });
});

describe('perpetuals', () => {
  const order = { symbol: 'AAABBBPERP', market: 'derivative' } as const;

  it('A4: fees, profit and margin settle in the settlement currency', () => {
    const session = started({ fees: { maker: 0, taker: '0.001' } });
    session.place({ ...order, side: 'buy', quantity: '4' });
    session.pass(100);
    expect(session.balance('BBB')).toBe('99595.596/404');
    session.market(snapshot({ 110: 10 }, { 111: 5 }, { instrument: perpetual, exchangeUs: session.clock.nowUs() }));
    session.place({ ...order, side: 'sell', quantity: '6' });
    session.pass(100);
    expect(session.of('fill').map(({ fill }) => fill.realizedPnl)).toEqual(['0', '36']);
    expect(session.of('positions').at(-1)?.positions[0]).toMatchObject({
      quantity: '-2',
      entryPrice: '110',
      leverage: '1',
      realizedPnl: '36',
    });
    // 100,000 - 0.404 + 36 - 0.66, of which 220 is margin.
    expect(session.balance('BBB')).toBe('99814.936/220');
  });

  it('A3: funding at its time: longs pay rate · mark · quantity when the rate is positive', () => {
    const session = started({ fees: { maker: 0, taker: 0 } });
    session.place({ ...order, side: 'buy', quantity: '4' });
    session.pass(100);
    const base = { instrument: perpetual, exchangeUs: session.clock.nowUs(), receiveUs: 0 };
    const mark: MarkEvent = { kind: 'mark', ...base, markPrice: 120, indexPrice: 120 };
    const funding: FundingEvent = { kind: 'funding', ...base, rate: '0.0001', nextFundingTime: 0 };
    session.market(mark);
    session.market({ ...funding, nextFundingTime: 1 });
    session.market(funding);
    session.pass(100);
    expect(session.balance('BBB')).toBe('99595.952/404');
  });

  it('a reduce-only order that would open a position is cancelled', () => {
    const session = started();
    session.place({ ...order, side: 'buy', quantity: '4' });
    session.pass(100);
    session.place({ ...order, side: 'sell', price: '120', quantity: '4', reduceOnly: true });
    session.place({ ...order, side: 'sell', quantity: '4' });
    session.pass(100);
    expect(session.reports().find(({ orderId, status }) => orderId === 'sim-2' && status !== 'new')).toMatchObject({
      status: 'canceled',
      reason: 'reduce_only',
    });
  });
});

describe('T6: restart', () => {
  it('comes back with resting orders, money, position and ids as before, and nothing fills while down', async () => {
    const before = started();
    before.place({ side: 'buy', price: '99', quantity: '7' });
    before.place({ side: 'buy', price: '101', quantity: '2' });
    before.place({ symbol: 'AAABBBPERP', market: 'derivative', side: 'sell', quantity: '4' });
    before.pass(100);
    const { query } = before.venue;
    const items = async <T>(reading: Promise<{ kind: string; items?: readonly T[] }>): Promise<readonly T[]> =>
      (await reading).items ?? [];
    const spotHistory = { from: 0, market: 'spot' } as const;
    const state = {
      orders: [...(await items(query.orderHistory(spotHistory))), ...(await items(query.activeOrders()))],
      fills: [
        ...(await items(query.ownTrades(spotHistory))),
        ...(await items(query.ownTrades({ from: 0, market: 'derivative' }))),
      ],
      balances: await items(query.balances()),
      positions: await items(query.positions()),
    };
    const after = new TestSession();
    after.venue.restore(state);
    after.venue.start();
    after.pass(0);
    expect(after.balance('BBB')).toBe(before.balance('BBB'));
    expect(after.balance('AAA')).toBe(before.balance('AAA'));
    expect(await items(after.venue.query.positions())).toMatchObject([{ quantity: '-4', entryPrice: '100' }]);
    expect(await items(after.venue.query.activeOrders())).toEqual(await items(query.activeOrders()));
    expect(await items(after.venue.query.ownTrades(spotHistory))).toEqual(await items(query.ownTrades(spotHistory)));

    after.market(snapshot({ 99: 6 }, { 101: 5 }));
    after.market(trade('sell', 99, 8));
    after.pass(100);
    expect(after.of('fill').map(({ fill }) => [fill.tradeId, fill.orderId, fill.quantity])).toEqual([
      ['sim-t3', 'sim-1', '2'],
    ]);
    expect(after.balance('AAA').split('/')[0]).toBe('998.9986');
  });

  it('refuses a state that contradicts itself', () => {
    const position = { symbol: 'NOPE' } as never;
    const balance = { account: 'unified-trading', currency: 'BBB', available: '-1', locked: '0', total: '-1' } as const;
    for (const broken of [{ positions: [position] }, { balances: [balance] }]) {
      const session = new TestSession();
      const restore = () => session.venue.restore({ orders: [], fills: [], balances: [], positions: [], ...broken });
      expect(restore).toThrow(expect.objectContaining({ code: 'simulation_state' }));
    }
  });
});
