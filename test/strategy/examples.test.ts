/** The strategies that a user copies: each loads, takes its defaults and decides on a market. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadStrategy } from '../../src/strategy/loading/load.ts';
import { typecheckStrategy } from '../../src/strategy/loading/typecheck.ts';
import { installVirtualTime } from '../../src/strategy/running/virtual-time.ts';
import { candlesBefore, World } from './world.ts';

let world: World;
let remove: () => void;

beforeEach(() => {
  world = new World();
  remove = installVirtualTime(world.clock, { unhandled: () => {} });
});
afterEach(() => {
  world.stopAll();
  remove();
});

async function load(name: string) {
  return (await loadStrategy(`strategies/${name}.ts`)).definition;
}

test.each(['spread-maker', 'ema-cross', 'imbalance', 'funding-carry'])('%s type-checks', async (name) => {
  expect(await typecheckStrategy(`strategies/${name}.ts`)).toEqual({ kind: 'checked', problems: [] });
});

describe('spread-maker', () => {
  test('quotes both sides around the mid, on the tick, worth more than the smallest order', async () => {
    const { actions, errors } = world.start(await load('spread-maker'));
    world.book(59_999.99, 60_000.01);
    expect(errors).toEqual([]);
    expect(actions).toHaveLength(1);
    const [action] = actions;
    if (action?.kind !== 'quote') return expect.unreachable();
    const [bid] = action.bids;
    const [ask] = action.asks;
    expect(Number(bid?.price)).toBeLessThan(60_000);
    expect(Number(ask?.price)).toBeGreaterThan(60_000);
    expect(world.market.instrument('BTCUSDT').ticksOf(bid?.price ?? Number.NaN)).not.toBeNaN();
    expect(Number(bid?.price) * Number(bid?.quantity)).toBeGreaterThan(5);
    expect(world.market.instrument('BTCUSDT').lotsOf(bid?.quantity ?? Number.NaN)).not.toBeNaN();
  });

  test('inventory leans the quotes and at the limit only the way back is quoted', async () => {
    const definition = await load('spread-maker');
    const bidAt = (quantity: string) => {
      const started = world.start(definition, { tag: quantity });
      started.account.held.set('BTCUSDT', {
        symbol: 'BTCUSDT',
        market: 'spot',
        positionSide: 'both',
        quantity,
        size: Number(quantity),
        isFlat: Number(quantity) === 0,
        entryPrice: null,
        realizedPnl: '0',
      });
      return started;
    };
    const flat = bidAt('0');
    const long = bidAt('0.005');
    const full = bidAt('0.01');
    const short = bidAt('-0.01');
    world.book(59_999.99, 60_000.01);
    const quotes = [flat, long, full, short].map(({ actions }) =>
      actions[0]?.kind === 'quote' ? actions[0] : undefined,
    );
    expect(Number(quotes[1]?.bids[0]?.price)).toBeLessThan(Number(quotes[0]?.bids[0]?.price));
    expect(Number(quotes[1]?.asks[0]?.price)).toBeLessThan(Number(quotes[0]?.asks[0]?.price));
    expect([quotes[2]?.bids.length, quotes[2]?.asks.length]).toEqual([0, 1]);
    expect([quotes[3]?.bids.length, quotes[3]?.asks.length]).toEqual([1, 0]);
  });

  test('looks at most once in its window, and always at the last price of it', async () => {
    const { actions } = world.start(await load('spread-maker'));
    for (let at = 0; at < 1000; at += 5) {
      world.to(at);
      world.book(60_000 + at, 60_001 + at);
    }
    world.to(1300);
    expect(actions).toHaveLength(5);
    const last = actions.at(-1);
    expect(last?.kind === 'quote' && Number(last.asks[0]?.price)).toBeGreaterThan(60_995);
  });
});

test('ema-cross holds while the fast average is above the slow one', async () => {
  const history = candlesBefore(Array.from({ length: 90 }, (_, index) => 60_000 - index));
  const { actions, errors } = world.start(await load('ema-cross'), { warmupCandles: new Map([['BTCUSDT', history]]) });
  expect(actions).toEqual([]);
  for (let minute = 0; minute < 60; minute++) {
    world.to(minute * 60_000 + 500);
    world.trade(minute < 30 ? 59_910 + minute * 40 : 61_000 - (minute - 30) * 60);
  }
  expect(errors).toEqual([]);
  const held = actions.map((action) => (action.kind === 'target' ? action.quantity : '?'));
  expect(held[0]).toBe('0');
  expect(held).toContain('0.01');
  expect(held.at(-1)).toBe('0');
  expect(held).toHaveLength(59);
});

test('imbalance goes long when bids outweigh, and leaves when the book is even', async () => {
  const { actions, errors } = world.start(await load('imbalance'));
  const sizes = [
    [1, 1],
    [5, 1],
    [3, 2],
    [1, 2],
    [9, 1],
  ] as const;
  for (const [index, [bids, asks]] of sizes.entries()) {
    world.to(index * 600);
    world.book(60_000, 60_001, bids, asks);
  }
  expect(errors).toEqual([]);
  expect(actions.map((action) => (action.kind === 'target' ? action.quantity : '?'))).toEqual([
    '0',
    '0.001',
    '0',
    '0.001',
  ]);
});

describe('funding-carry', () => {
  const SPOT = 'BTCUSDT';
  const PERPETUAL = 'BTCUSDTPERP';

  async function started(params: Readonly<Record<string, unknown>> = {}) {
    world.instruments.add({
      ...world.market.instrument(SPOT).spec,
      symbol: PERPETUAL,
      market: 'derivative',
      settle: 'USDT',
      contractSize: '0.1',
      lotSize: '0.01',
      minQuantity: '0.01',
    });
    const begun = world.start(await load('funding-carry'), { params: { quantity: '0.05', ...params } });
    const base = () => ({
      instrument: world.market.instrument(PERPETUAL),
      exchangeUs: world.clock.nowUs(),
      receiveUs: world.clock.nowUs(),
    });
    return {
      ...begun,
      /** What is held from now on; contracts of 0.1 on the perpetual. */
      hold(spot: string, perpetual: string): void {
        for (const [symbol, quantity] of [
          [SPOT, spot],
          [PERPETUAL, perpetual],
        ] as const)
          begun.account.held.set(symbol, {
            symbol,
            market: symbol === SPOT ? 'spot' : 'derivative',
            positionSide: 'both',
            quantity,
            size: Number(quantity),
            isFlat: Number(quantity) === 0,
            entryPrice: null,
            realizedPnl: '0',
          });
      },
      /** One look: a second later, at this funding rate. Answers what was asked for since the last one. */
      look(rate: string): readonly string[] {
        world.to(world.elapsed + 2000);
        world.market.onEvent({ kind: 'funding', ...base(), rate, nextFundingTime: world.clock.now() + 1000 });
        world.market.onEvent({ kind: 'mark', ...base(), markPrice: 60_030, indexPrice: 60_000 });
        world.book(59_999.99, 60_000.01);
        world.book(60_030, 60_030.01, 1, 1, PERPETUAL);
        world.to(world.elapsed + 2000);
        return begun.actions
          .splice(0)
          .map((action) => (action.kind === 'target' ? `${action.symbol} ${String(action.quantity)}` : action.kind));
      },
    };
  }

  test('goes in at the entry rate, the short leg after what the long one has really bought', async () => {
    const carry = await started();
    expect(carry.look('0.00004')).toEqual([]);
    expect(new Set(carry.look('0.0001'))).toEqual(new Set([`${SPOT} 0.05`]));
    // The fee has taken a part; 0.04995 of base are half a contract.
    carry.hold('0.04995', '0');
    expect(new Set(carry.look('0.0001'))).toEqual(new Set([`${PERPETUAL} -0.5`]));
    carry.hold('0.04995', '-0.5');
    expect(carry.look('0.0001')).toEqual([]);
    expect(carry.errors).toEqual([]);
  });

  test('stays in between the two rates, brings drifted legs together, and leaves with both at the exit rate', async () => {
    const carry = await started();
    carry.look('0.0001');
    carry.hold('0.05', '-0.5');
    expect(carry.look('0.00001')).toEqual([]);
    carry.hold('0.05', '-0.3');
    expect(new Set(carry.look('0.00001'))).toEqual(new Set([`${PERPETUAL} -0.5`]));
    carry.hold('0.05', '-0.5');
    expect(new Set(carry.look('0'))).toEqual(new Set([`${SPOT} 0`, `${PERPETUAL} 0`]));
    // Dust that no order may sell is not asked for again and again.
    carry.hold('0.00001', '0');
    expect(carry.look('0')).toEqual([]);
  });

  test('refuses thresholds that would trade back and forth', async () => {
    await expect(started({ enterRate: 0.0001, exitRate: 0.0001 })).rejects.toThrow(/exitRate.*must be under enterRate/);
  });
});
