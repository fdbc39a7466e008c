/** `account.fillsSince`: own fills since a kept cursor, each exactly once, over crashes and what filled while down. */
import fc from 'fast-check';
import { filter, map, merge, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { defineStrategy, place, z, type FillSince } from '../../../src/index.ts';
import { RecentFills } from '../../../src/execution/intake/own-fills.ts';
import type { Fill } from '../../../src/model/trading/fill.ts';
import { scenario } from '../../../src/testing/index.ts';

/** Buys once; counts what it is told and keeps the cursor. `from`: where it begins when it has none. */
function accountant(told: FillSince[], keep: 'cursor' | 'nothing' = 'cursor') {
  return defineStrategy({
    name: 'accountant',
    params: z.object({ symbol: z.string().default('BTCUSDT') }),
    setup: ({ params: { symbol }, market, account, state }) => {
      const cursor = state(z.string(), '', 'cursor');
      const done = state(z.boolean(), false, 'done');
      const since = keep === 'cursor' && cursor.get() !== '' ? cursor.get() : undefined;
      const booked = account.fillsSince(since).pipe(
        map((fill) => {
          told.push(fill);
          cursor.set(fill.cursor);
          return [];
        }),
      );
      const buys = market.top(symbol).pipe(
        filter(() => !done.get()),
        take(1),
        map(() => {
          done.set(true);
          return place({ symbol, side: 'buy', type: 'limit', price: 99, quantity: '100', ref: 'entry' });
        }),
      );
      return merge(booked, buys);
    },
  });
}

const STEPS = ['fill', 'crash', 'missed fill', 'crash while down'] as const;

/** Plays the steps; answers the quantities that were filled, in order. */
async function play(strategy: ReturnType<typeof accountant>, steps: readonly (typeof STEPS)[number][]) {
  const quantities: number[] = [];
  let run = scenario({ strategy, account: { USDT: '100000', BTC: '10' } }).book({ bid: 100, ask: 101 });
  for (const [at, step] of steps.entries()) {
    const quantity = 1 + at;
    const isFill = step !== 'crash';
    if (isFill) quantities.push(quantity);
    if (step === 'fill') run = run.trade({ price: 99, quantity, side: 'sell' });
    if (step === 'crash') run = run.crash();
    if (step === 'missed fill' || step === 'crash while down') {
      run = run.disconnect().trade({ price: 99, quantity, side: 'sell' });
      if (step === 'crash while down') run = run.crash();
      run = run.advance('5s').reconnect().advance('30s').book({ bid: 100, ask: 101 });
    }
  }
  await run;
  return quantities;
}

describe('fillsSince', () => {
  it('fills-since/crash/each-once-with-those-found-at-the-start', async () => {
    const told: FillSince[] = [];
    const quantities = await play(accountant(told), ['fill', 'crash', 'fill', 'crash']);
    expect(told.map(({ quantity }) => Number(quantity))).toEqual(quantities);
    expect(told[0]).toMatchObject({ ref: 'entry', symbol: 'BTCUSDT', side: 'buy' });
    expect(new Set(told.map(({ cursor }) => cursor)).size).toBe(told.length);
  });

  it('fills-since/no-cursor/all-of-the-session-at-each-start', async () => {
    const told: FillSince[] = [];
    await play(accountant(told, 'nothing'), ['fill', 'fill', 'crash', 'fill']);
    expect(told.map(({ quantity }) => Number(quantity))).toEqual([1, 2, 1, 2, 4]);
  });

  it('fills-since/any-order-of-fills-and-crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 6 }), async (steps) => {
        const told: FillSince[] = [];
        const quantities = await play(accountant(told), steps);
        expect(told.map(({ quantity }) => Number(quantity))).toEqual(quantities);
        const again: FillSince[] = [];
        // What was told over all lives is what one life that keeps no cursor hears at its last start.
        await play(accountant(again, 'nothing'), [...steps, 'crash']);
        const lives = new Map(again.map((fill) => [fill.cursor, fill]));
        expect(told.map(({ cursor }) => cursor)).toEqual([...lives.keys()]);
      }),
      { numRuns: 12 },
    );
  });

  it('fills-since/unknown-cursor/is-an-error-of-the-strategy', async () => {
    const lost = defineStrategy({
      name: 'lost',
      setup: ({ account }) => account.fillsSince('BTCUSDT/none').pipe(map(() => [])),
    });
    const run = scenario({ strategy: lost }).book({ bid: 100, ask: 101 });
    await expect(Promise.resolve(run)).rejects.toThrow(/own fills since BTCUSDT\/none/);
  });
});

describe('the fills that a backtest keeps', () => {
  const fillOf = (at: number): Fill => ({
    tradeId: String(at),
    orderId: '1',
    symbol: 'BTCUSDT',
    market: 'spot',
    side: 'buy',
    price: '1',
    quantity: '1',
    fee: '0',
    feeCurrency: 'BTC',
    liquidity: 'maker',
    ts: at,
    ref: 'r',
    tag: 't',
  });

  it('are the newest; one that is not kept any more is told', () => {
    const recent = new RecentFills();
    for (let at = 0; at < 100; at++) recent.add(fillOf(at));
    expect(recent.since(undefined)).toHaveLength(100);
    expect(recent.since('BTCUSDT/97').map(({ ts }) => ts)).toEqual([98, 99]);
    expect(recent.since('BTCUSDT/99')).toEqual([]);
    for (let at = 100; at < 30_000; at++) recent.add(fillOf(at));
    expect(recent.since('BTCUSDT/29990')).toHaveLength(9);
    expect(() => recent.since('BTCUSDT/97')).toThrow(/keeps the newest/);
    expect(() => recent.since(undefined)).toThrow(/all own fills/);
  });
});
