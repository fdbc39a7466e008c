import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../../src/model/random.ts';
import type { FillRecord, SymbolRecord } from '../../../src/statistics/inputs.ts';
import { heldPath, type HeldInput, type HeldPath } from '../../../src/statistics/overfitting/held-path.ts';
import { shiftTest } from '../../../src/statistics/overfitting/shift-test.ts';
import { valuesOf } from '../../../src/statistics/valuation.ts';
import { seriesOf } from '../../../src/statistics/series.ts';

const TO = 1_000_000;

function fill(
  ts: number,
  side: 'buy' | 'sell',
  quantity: number,
  price: number,
  fee = 0,
  feeCurrency = 'USDT',
): FillRecord {
  const texts = { price: String(price), quantity: String(quantity), fee: String(fee) };
  return { ts, symbol: 'A', side, ...texts, feeCurrency, liquidity: 'taker', orderRef: 'r', tag: 't', mid: null };
}

const spot: SymbolRecord = { base: 'BTC', quote: 'USDT', market: 'spot', lotSize: '0.001' };
const period = { from: 0, to: TO };

/** A walk of a thousand steps. */
function walk(seed: number): Float64Array {
  const random = seededRandom(seed);
  let mid = 1000;
  return Float64Array.from({ length: 1001 }, () => (mid += normal(random)));
}

const pathOf = (mids: Float64Array) => seriesOf(Array.from(mids, (mid, step) => [step * 1000, mid] as const));

/** Holds these positions from one step to the next, all bought and sold `cost` beside the mid; its P&L is counted step by step. */
function played(mids: Float64Array, positions: readonly number[], cost = 0): HeldInput {
  const fills: FillRecord[] = [];
  let [netPnl, held] = [0, 0];
  for (const [step, position] of [...positions, 0].entries()) {
    const by = position - held;
    held = position;
    if (by !== 0)
      fills.push(fill(step * 1000, by > 0 ? 'buy' : 'sell', Math.abs(by), mids[step]! + Math.sign(by) * cost));
    netPnl += step < 1000 ? position * (mids[step + 1]! - mids[step]!) : 0;
    netPnl -= Math.abs(by) * cost;
  }
  return {
    fills,
    symbols: { A: { ...spot, market: 'derivative' } },
    mids: { A: pathOf(mids) },
    funding: [],
    period,
    netPnl,
  };
}

function heldOf(input: HeldInput): HeldPath {
  const held = heldPath(input);
  if (typeof held === 'string') throw new Error(held);
  return held;
}

describe('timing and execution', () => {
  it('are together the P&L before costs, wherever between two samples the positions were held', () => {
    const position = fc.integer({ min: -3, max: 3 });
    const run = fc.record({ seed: fc.nat(1000), positions: fc.array(position, { minLength: 1000, maxLength: 1000 }) });
    fc.assert(
      fc.property(run, fc.double({ min: 0, max: 2, noNaN: true }), ({ seed, positions }, cost) => {
        fc.pre(positions.some((held) => held !== 0));
        const mids = walk(seed);
        const { timing, execution } = heldOf(played(mids, positions, cost));
        const moves = positions.reduce((sum, held, step) => sum + held * (mids[step + 1]! - mids[step]!), 0);
        expect(timing).toBeCloseTo(moves, 6);
        expect(execution).toBeLessThanOrEqual(1e-9);
      }),
      { numRuns: 30 },
    );
  });

  it('count a spot fee in base as a cost, and as a smaller position from then on', () => {
    const mids = {
      A: seriesOf([
        [0, 100],
        [500, 110],
        [1000, 130],
      ]),
    };
    const fills = [fill(500, 'buy', 2, 112, 0.5, 'BTC')];
    // 1.5 units are worth 195 at the end and cost 224, which is 168 and a fee of 56: it counts at the price of the fill.
    const held = heldOf({
      fills,
      symbols: { A: spot },
      mids,
      funding: [],
      period: { from: 0, to: 1000 },
      netPnl: 195 - 224,
    });
    expect([held.timing, held.execution]).toEqual([1.5 * 20, 1.5 * -2]);
  });

  it('are together net P&L and `fees` of the statistics, with fees in base and in quote', () => {
    const trade = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      quantity: fc.integer({ min: 1, max: 50 }),
      offset: fc.integer({ min: -300, max: 300 }),
      feeRate: fc.integer({ min: 0, max: 100 }),
    });
    fc.assert(
      fc.property(fc.nat(1000), fc.array(trade, { minLength: 1, maxLength: 40 }), (seed, trades) => {
        const mids = walk(seed);
        const fills = trades.map(({ side, quantity, offset, feeRate }, index) => {
          const price = Math.round(100 * mids[index * 20]! + offset) / 100;
          const isBuy = side === 'buy';
          const fee = (isBuy ? quantity : quantity * price) * feeRate * 1e-4;
          return fill(index * 20_000, side, quantity, price, fee, isBuy ? 'BTC' : 'USDT');
        });
        const [base, quote] = fills.reduce<[number, number]>(
          ([held, cash], { side, quantity, price, fee }) =>
            side === 'buy'
              ? [held + Number(quantity) - Number(fee), cash - Number(quantity) * Number(price)]
              : [held - Number(quantity), cash + Number(quantity) * Number(price) - Number(fee)],
          [0, 0],
        );
        const netPnl = base * mids[1000]! + quote;
        const fees = valuesOf(fills, { A: spot }).reduce((sum, { fee }) => sum + fee!.toNumber(), 0);
        const { timing, execution } = heldOf({
          fills,
          symbols: { A: spot },
          mids: { A: pathOf(mids) },
          funding: [],
          period,
          netPnl,
        });
        expect(Math.abs(timing + execution - (netPnl + fees))).toBeLessThan(1e-6);
      }),
      { numRuns: 100 },
    );
  });

  it('of a symbol in another currency are at its last rate, as what was paid is', () => {
    const input = played(walk(1), [...Array<number>(10).fill(1), ...Array<number>(990).fill(0)], 0.5);
    const symbols = { A: { ...spot, base: 'ETH', quote: 'BTC', quoteRate: '3' } };
    const fills = input.fills.map((one) => ({ ...one, quoteRate: '2', feeCurrency: 'BTC' }));
    const [own, rated] = [heldOf(input), heldOf({ ...input, fills, symbols, netPnl: input.netPnl! * 3 })];
    expect(rated.timing).toBeCloseTo(own.timing * 3, 6);
  });

  it('say why there are none', () => {
    const input = played(
      walk(1),
      Array.from({ length: 1000 }, (_, step) => (step % 50 < 10 ? 1 : 0)),
      0.5,
    );
    expect(heldPath({ ...input, fills: [] })).toBe('no fills');
    expect(heldPath({ ...input, mids: {} })).toMatch(/no price path of A/);
    expect(heldPath({ ...input, netPnl: null })).toMatch(/not known/);
    // A trade that is not among the fills.
    expect(heldPath({ ...input, netPnl: input.netPnl! + 1 })).toMatch(/positions and fills explain .* of a P&L of/);
    expect(heldPath({ ...input, fills: [{ ...input.fills[0]!, fee: '1', feeCurrency: 'BNB' }] })).toMatch(/BNB/);
  });
});

describe('the test of timing', () => {
  it('is what the definition says, shift by shift', () => {
    const mids = walk(5);
    const positions = Array.from({ length: 1000 }, (_, step) => [0, 1, 1, -2, 0][Math.floor(step / 13) % 5]!);
    const { pValue, timing, expected, shifts } = shiftTest(heldOf(played(mids, positions)));
    const made = Array.from({ length: shifts }, (_, index) => {
      // Each shift is a whole number of steps here: a thousand steps, 999 shifts.
      const by = index + 1;
      return positions.reduce((sum, held, step) => {
        const at = (step + by) % 1000;
        return sum + held * (mids[at + 1]! - mids[at]!);
      }, 0);
    });
    expect(shifts).toBe(999);
    expect(pValue).toBe((1 + made.filter((value) => value >= timing).length) / 1000);
    expect(expected).toBeCloseTo(made.reduce((sum, value) => sum + value, 0) / 999, 6);
  });

  it('finds positions that know the market, and those that do not only by chance', () => {
    let small = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(1000 + seed);
      const mids = walk(seed);
      const coin = Array.from({ length: 50 }, () => (random.next() < 0.5 ? -1 : 1));
      const blind = Array.from({ length: 1000 }, (_, step) => coin[Math.floor(step / 20)]!);
      if (shiftTest(heldOf(played(mids, blind))).pValue <= 0.1) small++;
    }
    expect(small).toBeGreaterThan(2);
    expect(small).toBeLessThan(22);
    const mids = walk(7);
    const knowing = Array.from({ length: 1000 }, (_, step) =>
      Math.sign(mids[20 * Math.floor(step / 20) + 20]! - mids[20 * Math.floor(step / 20)]!),
    );
    expect(shiftTest(heldOf(played(mids, knowing))).pValue).toBe(0.001);
  });

  it('of a position that is never changed says nothing', () => {
    const held = heldOf({
      ...played(
        walk(3),
        Array.from({ length: 1000 }, () => 1),
      ),
    });
    expect(shiftTest(held).pValue).toBe(1);
  });
});
