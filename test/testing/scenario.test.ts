/** The kit on strategies of its own: what it plays, what it reads, what it says when something else came. */
import { describe, expect, it } from 'vitest';
import { bracket, defineCandleStrategy, defineStrategy, place, quote, target, z } from '../../src/index.ts';
import { scenario } from '../../src/testing/index.ts';
import { filter, map, take } from 'rxjs';

const maker = defineStrategy({
  name: 'maker',
  params: z.object({ symbol: z.string().default('BTCUSDT'), half: z.number().default(0.5) }),
  setup: ({ params, market }) =>
    market.top(params.symbol).pipe(
      map(({ mid }) =>
        quote(params.symbol, {
          bids: [{ price: mid - params.half, quantity: '1' }],
          asks: [{ price: mid + params.half, quantity: '1' }],
        }),
      ),
    ),
});

const once = defineStrategy({
  name: 'once',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup: ({ params: { symbol }, market, state }) => {
    const done = state(z.boolean(), false);
    return market.top(symbol).pipe(
      filter(() => !done.get()),
      take(1),
      map(() => {
        done.set(true);
        return place({ symbol, side: 'buy', type: 'limit', price: 99, quantity: '1', ref: 'entry' });
      }),
    );
  },
});

const failureOf = async (run: PromiseLike<unknown>): Promise<Error & { readonly code?: string }> => {
  try {
    await run;
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error('nothing was thrown');
};

describe('scenario', () => {
  it('scenario/quote/rests-fills-and-moves-the-account', async () => {
    const scene = await scenario({ strategy: maker, at: 'BTCUSDT' })
      .book({ bid: 100, ask: 101 })
      .expect([{ kind: 'quote', bids: [{ price: 100, quantity: 1 }], asks: [{ price: 101 }] }])
      .expect({ orders: [{ side: 'buy', price: '100' }, { side: 'sell' }], position: 0 })
      .fill({ side: 'buy' });
    expect(scene.orders.map(({ side }) => side)).toEqual(['sell']);
    expect(scene.fills).toMatchObject([{ side: 'buy', price: '100', quantity: '1', liquidity: 'maker' }]);
    expect(Number(scene.position().quantity)).toBeCloseTo(0.9998, 9);
    expect(scene.balance('USDT').total).toBe('99900');
    expect(scene.equity).toBeGreaterThan(100_000);
    await scene.trade({ price: 101.5, quantity: 5, side: 'buy' }).expect({ fills: [{}, { side: 'sell', price: 101 }] });
  });

  it.each([
    ['at the touch', { bid: 99, ask: 100 }],
    ['below it', { bid: 99.5, ask: 100 }],
    ['between bid and ask', { bid: 98, ask: 100 }],
  ])('scenario/fill/fills-the-given-quantity: %s', async (_, book) => {
    const scene = await scenario({ strategy: once }).book(book).fill('entry', { quantity: 0.4 });
    expect(scene.fills).toMatchObject([{ ref: 'entry', quantity: '0.4', price: '99' }]);
    expect(scene.orders).toMatchObject([{ ref: 'entry', filledQuantity: '0.4', state: 'partially_filled' }]);
    await scene.fill('entry', { quantity: 0.1 }).fill('entry').expect({ orders: [] });
    expect(scene.fills.map(({ quantity }) => quantity)).toEqual(['0.4', '0.1', '0.5']);
  });

  it('scenario/latency/an-order-arrives-when-time-has-passed', async () => {
    await scenario({ strategy: maker, latencyMs: 20 })
      .book({ bid: 100, ask: 101 })
      .expect({ orders: [{ state: 'sending' }, { state: 'sending' }] })
      .advance('50ms')
      .expect({ orders: [{ state: 'open' }, { state: 'open' }] });
  });

  it('scenario/crash/goes-on-from-the-journal', async () => {
    const scene = await scenario({ strategy: once })
      .book({ bid: 100, ask: 101 })
      .expect([{ kind: 'place', ref: 'entry' }])
      .crash()
      .book({ bid: 100, ask: 101 })
      .expect([])
      .expect({ orders: [{ ref: 'entry', state: 'open' }] })
      .fill('entry')
      .expect({ fills: [{ ref: 'entry' }] })
      .crash();
    expect(Number(scene.position().quantity)).toBeCloseTo(0.9998, 9);
    expect(scene.fills).toHaveLength(1);
  });

  it('scenario/outage/a-fill-meanwhile-is-found-by-reconciling', async () => {
    const scene = await scenario({ strategy: once })
      .book({ bid: 100, ask: 101 })
      .disconnect()
      .trade({ price: 98, quantity: 5, side: 'sell' })
      .expect({ fills: [], orders: [{ ref: 'entry' }] })
      .advance('5s')
      .reconnect()
      .advance('5s');
    expect(scene.fills).toMatchObject([{ ref: 'entry', quantity: '1' }]);
    expect(scene.orders).toEqual([]);
  });

  it('scenario/outage/new-risk-is-denied-until-the-account-is-compared', async () => {
    const timed = defineStrategy({
      name: 'timed',
      params: z.object({ symbol: z.string().default('BTCUSDT') }),
      setup: ({ params: { symbol }, clock }) =>
        clock.every('3s').pipe(
          take(1),
          map(() => place({ symbol, side: 'buy', type: 'limit', price: 99, quantity: '1', ref: 'lost' })),
        ),
    });
    const scene = await scenario({ strategy: timed })
      .book({ bid: 100, ask: 101 })
      .disconnect()
      .advance('5s')
      .expect({ orders: [], denials: [{ reason: 'stream_down' }] })
      .reconnect()
      .book({ bid: 100, ask: 101 })
      .expect({ orders: [] });
    expect(scene.denials).toHaveLength(1);
  });

  it('scenario/candles/reach-a-strategy-of-candles-with-warmup', async () => {
    const cross = defineCandleStrategy({
      name: 'cross',
      params: z.object({ symbol: z.string().default('BTCUSDT') }),
      interval: '1m',
      warmup: () => 3,
      setup: ({ indicators }) => ({ average: indicators.sma(3) }),
      onCandle: (candle, { params, vars }) => {
        const average = vars.average.next(candle.close);
        return average === undefined
          ? undefined
          : target(params.symbol, { quantity: candle.close > average ? '1' : '0' });
      },
    });
    const scene = await scenario({ strategy: cross, warmup: [100, 100, 100] })
      .candles([103, { close: 104, volume: 12 }])
      .expect([
        { kind: 'target', quantity: '1' },
        { kind: 'target', quantity: 1 },
      ]);
    expect(scene.fills).toMatchObject([{ side: 'buy', quantity: '1', liquidity: 'taker' }]);
    await scene.candles([90]).expect([{ kind: 'target', quantity: '0' }]);
    expect(scene.position().isFlat).toBe(true);
  });

  it('scenario/programs/a-bracket-leaves-at-its-stop', async () => {
    const strategy = defineStrategy({
      name: 'bracketed',
      params: z.object({ symbol: z.string().default('BTCUSDT') }),
      setup: ({ params: { symbol }, market }) =>
        market.top(symbol).pipe(
          take(1),
          map(() =>
            bracket({
              entry: { symbol, side: 'buy', type: 'limit', price: 100, quantity: '1' },
              takeProfit: 104,
              stopLoss: 98,
              ref: 'b',
            }),
          ),
        ),
    });
    await scenario({ strategy })
      .book({ bid: 100, ask: 101 })
      .fill({ side: 'buy' })
      .expect({ programs: [{ ref: 'b', state: 'working' }], fills: [{ side: 'buy' }] })
      .book({ bid: 97, ask: 98 })
      .advance('1s')
      .expect({ fills: [{ side: 'buy' }, { side: 'sell', price: 97 }], programs: [{ state: 'done' }] });
  });

  it('scenario/deterministic/the-same-twice-is-the-same-journal', async () => {
    const run = (latencyMs: number) =>
      scenario({ strategy: maker, latencyMs })
        .book({ bid: 100, ask: 101 })
        .advance('1s')
        .fill({ side: 'sell' })
        .outage('5s')
        .crash()
        .candles([100, 102, 99]);
    const [one, two, other] = [await run(5), await run(5), await run(6)];
    expect(two.journalHash).toBe(one.journalHash);
    expect(other.journalHash).not.toBe(one.journalHash);
  });

  it('scenario/together/several-take-turns', async () => {
    const all = await Promise.all([1, 2, 3].map(() => scenario({ strategy: maker }).book({ bid: 100, ask: 101 })));
    expect(new Set(all.map(({ journalHash }) => journalHash)).size).toBe(1);
  });
});

describe('what a failed expectation says', () => {
  it('expect/actions/each-difference-is-a-line', async () => {
    const failed = await failureOf(
      scenario({ strategy: maker })
        .book({ bid: 100, ask: 101 })
        .expect([{ kind: 'quote', bids: [{ price: 99 }] }, { kind: 'cancelAll' }]),
    );
    expect(failed.code).toBe('scenario_expectation');
    expect(failed.message).toContain('actions[0].bids[0].price: expected 99, came 100');
    expect(failed.message).toContain("actions[1]: expected { kind: 'cancelAll' }, nothing came");
  });

  it('expect/account/position-balance-and-orders', async () => {
    const failed = await failureOf(
      scenario({ strategy: maker })
        .book({ bid: 100, ask: 101 })
        .expect({ position: 2, balances: { USDT: 5 }, orders: [{ side: 'sell' }] }),
    );
    expect(failed.message).toContain('position: expected 2, came');
    expect(failed.message).toContain('balance of USDT: expected 5, came');
    expect(failed.message).toContain("orders[0].side: expected 'sell', came 'buy'");
    expect(failed.message).toMatch(/orders\[1\]: came .* which was not expected/);
  });

  it('fill/an-order-that-does-not-rest-lists-those-that-do', async () => {
    const failed = await failureOf(scenario({ strategy: maker }).book({ bid: 100, ask: 101 }).fill('other'));
    expect(failed.code).toBe('scenario_no_order');
    expect(failed.message).toContain('buy 1 at 100');
  });

  it('strategy/a-throw-is-named', async () => {
    const strategy = defineStrategy({
      name: 'thrower',
      params: z.object({ symbol: z.string().default('BTCUSDT') }),
      setup: ({ params, market }) =>
        market.top(params.symbol).pipe(
          map(() => {
            throw new Error('no idea');
          }),
        ),
    });
    const failed = await failureOf(scenario({ strategy }).book({ bid: 100, ask: 101 }));
    expect(failed.code).toBe('scenario_strategy_failed');
    expect(failed.message).toContain('no idea');
  });

  it.each([
    ['a crossed book', () => scenario({ strategy: maker }).book({ bid: 101, ask: 100 })],
    ['a price off the tick', () => scenario({ strategy: maker }).book({ bid: 100.001, ask: 101 })],
    ['an unknown symbol', () => scenario({ strategy: maker }).book({ bid: 100, ask: 101, symbol: 'NOPE' })],
    ['a wrong duration', () => scenario({ strategy: maker }).advance('soon')],
    [
      'a candle beyond its range',
      () => scenario({ strategy: maker }).candles([{ open: 1, high: 2, low: 1, close: 3 }]),
    ],
  ])('input/%s/is-refused', async (_, make) => {
    expect((await failureOf(make())).code).toBe('scenario_invalid');
  });
});
