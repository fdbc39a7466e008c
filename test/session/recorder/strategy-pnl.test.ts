/** The results of strategies against the session's own equity, from positions and from fills: three ways, one sum. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ExecutorEvent } from '../../../src/spine/events.ts';
import type { VenueFill } from '../../../src/model/trading/fill.ts';
import { Instruments } from '../../../src/model/market/instrument.ts';
import { dec, decimalText } from '../../../src/model/numbers/money.ts';
import { Amounts } from '../../../src/session/recorder/amounts.ts';
import { RunRecorder } from '../../../src/session/recorder/run-recorder.ts';
import { strategyPnl } from '../../../src/session/recorder/strategy-pnl.ts';
import { strategyResults } from '../../../src/session/result/strategy-results.ts';
import type { FillRecord, SymbolRecord } from '../../../src/statistics/inputs.ts';
import { zeroCounters } from '../../../src/spine/orders/order-counters.ts';
import { amountsOf, Positions, strategyPosition } from '../../../src/spine/positions.ts';
import { perpetualSpec, spec } from '../../simulation/market.ts';

const TAGS = ['maker', 'taker', 'idle'];

/** AAA has a price by AAABBB, and another by AAACCC and CCCBBB; fees come in DDD, too. */
const instruments = new Instruments([
  spec,
  perpetualSpec,
  { ...spec, symbol: 'AAACCC', quote: 'CCC' },
  { ...spec, symbol: 'CCCBBB', base: 'CCC' },
  { ...spec, symbol: 'DDDBBB', base: 'DDD' },
]);
const named = (symbol: string) => instruments.find(symbol)!;
const [spot, perpetual] = [named(spec.symbol), named(perpetualSpec.symbol)];

const step = fc.record({
  tag: fc.constantFrom('maker', 'taker'),
  instrument: fc.constantFrom(...['AAABBB', 'AAABBBPERP', 'AAACCC', 'CCCBBB'].map(named)),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 80, max: 120 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  feeIn: fc.constantFrom('base', 'quote', 'DDD'),
  fee: fc.constantFrom('0', '0.01', '0.3', '-0.02'),
  funding: fc.option(fc.constantFrom('0.7', '-1.25')),
});

const prices = fc.tuple(...instruments.all().map(() => fc.integer({ min: 50, max: 150 })));

/** What the executor, the journal and the venue tell of these steps. */
function lived(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[], last: readonly number[]) {
  const positions = new Positions();
  const recorder = new RunRecorder(instruments, 'BBB');
  recorder.begin(0, () => null);
  for (const [index, { tag, instrument, side, price, quantity, feeIn, fee, funding }] of steps.entries()) {
    const { symbol, market, base, quote } = instrument;
    const feeCurrency = feeIn === 'DDD' ? 'DDD' : market === 'spot' && feeIn === 'base' ? base : quote;
    const amounts = { price: String(price), quantity: String(quantity), fee, feeCurrency };
    const fill = { tradeId: `t${index}`, symbol, market, side, ...amounts, ts: index } as VenueFill;
    const told = (event: object): void => recorder.onExecutorEvent(event as ExecutorEvent);
    const held = positions.apply(tag, instrument, fill, amountsOf(fill));
    recorder.traded(fill);
    told({ kind: 'fill', strategy: tag, fill: { ...fill, ref: fill.tradeId, tag }, mid: price, arrivalMid: null });
    told({ kind: 'position', strategy: tag, position: strategyPosition(held, false) });
    if (funding === null || market === 'spot') continue;
    positions.fund(tag, instrument, 'both', dec(funding));
    recorder.funded(index, 'BBB', funding);
    told({ kind: 'funding', payment: { id: '', symbol, currency: 'BBB', amount: funding, ts: index } });
    told({ kind: 'position', strategy: tag, position: strategyPosition(held, false) });
  }
  for (const [index, { symbol }] of instruments.all().entries())
    if (symbol === perpetual.symbol) recorder.equity.price(steps.length, symbol, last[index]!);
    else recorder.mark(steps.length, symbol, last[index]!);
  return { positions, recorder };
}

function resultsOf(recorder: RunRecorder, to: number) {
  const symbols: Record<string, SymbolRecord> = {};
  for (const { symbol, base, quote, market } of instruments.all()) {
    const rated =
      quote === 'CCC'
        ? { quoteRate: String(recorder.prices.rate('CCC')), rateBy: { symbol: 'CCCBBB', inverse: false } }
        : {};
    symbols[symbol] = { base, quote, market, lotSize: '1', ...rated };
  }
  return strategyResults({
    strategies: TAGS.map((tag) => ({ tag, name: tag, share: null, counters: zeroCounters() })),
    period: { from: 0, to },
    sampleMs: undefined,
    fills: recorder.fills,
    symbols,
    recorder,
    instruments,
  });
}

it('session/strategy-pnl/the strategies sum up to the result of the session', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), prices, (steps, last) => {
      const { positions, recorder } = lived(steps, last);
      const whole = recorder.equity.figures(new Amounts())!.netPnl;
      // Independent of both: each amount at its last price.
      const rates = new Map(instruments.all().map(({ symbol }, index) => [symbol, last[index]!]));
      const rate = (currency: string): number => (currency === 'BBB' ? 1 : rates.get(`${currency}BBB`)!);
      let expected = 0;
      for (const { instrument, side, price, quantity, feeIn, fee, funding } of steps) {
        const { market, base, quote, symbol } = instrument;
        const signed = side === 'buy' ? quantity : -quantity;
        expected += signed * (market === 'spot' ? rate(base) : rates.get(symbol)!) - signed * price * rate(quote);
        expected -= Number(fee) * rate(feeIn === 'DDD' ? 'DDD' : feeIn === 'base' && market === 'spot' ? base : quote);
        if (market !== 'spot') expected += Number(funding ?? 0);
      }
      expect(whole.toNumber()).toBeCloseTo(expected, 6);
      const each = TAGS.map((tag) => strategyPnl(positions.all(), tag, recorder.prices) ?? Number.NaN);
      expect(each[2]).toBe(0);
      expect(each.reduce((sum, value) => sum + value, 0)).toBeCloseTo(expected, 6);
      const results = resultsOf(recorder, steps.length).map(({ stats }) => stats.netPnl ?? Number.NaN);
      for (const [index, one] of results.entries()) expect(one).toBeCloseTo(each[index]!, 6);
      expect(decimalText(whole)).toBe(decimalText(results.reduce((sum, value) => sum.plus(value), dec(0))));
    }),
    { numRuns: 200 },
  );
});

it('session/strategy-pnl/what has no price has no result, and a closed position needs none', () => {
  const positions = new Positions();
  const trade = (side: 'buy' | 'sell', tradeId: string): void => {
    const more = { tradeId, market: 'spot', fee: '0', feeCurrency: 'BBB', ts: 0 } as const;
    const fill = { symbol: spot.symbol, side, price: '100', quantity: '1', ...more } as VenueFill;
    positions.apply('maker', spot, fill, amountsOf(fill));
  };
  const { prices: unpriced } = new RunRecorder(instruments, 'BBB');
  trade('buy', 'a');
  expect(strategyPnl(positions.all(), 'maker', unpriced)).toBeNull();
  trade('sell', 'b');
  expect(strategyPnl(positions.all(), 'maker', unpriced)).toBe(0);
});

it('session/strategy-results/the curve moves with what is held, at all prices that value it', () => {
  const recorder = new RunRecorder(instruments, 'BBB');
  recorder.begin(0, () => null);
  const capital = new Amounts();
  capital.add('BBB', 1000);
  recorder.equity.hold(capital);
  const mids: readonly (readonly [ts: number, symbol: string, mid: number])[] = [
    [1000, 'CCCBBB', 10],
    [1000, 'AAABBB', 50],
    [2000, 'AAACCC', 5],
    [4000, 'AAABBB', 60],
    [5000, 'CCCBBB', 11],
    [7000, 'AAABBB', 70],
  ];
  const fills: readonly (Partial<FillRecord> & { readonly ts: number })[] = [
    { ts: 3000, side: 'buy', price: '5', quantity: '2', fee: '0.5', feeCurrency: 'CCC' },
    { ts: 6000, side: 'sell', price: '6', quantity: '2', fee: '0', feeCurrency: 'CCC' },
  ];
  const steps: readonly (readonly [number, () => void])[] = [
    ...mids.map(([ts, symbol, mid]) => [ts, () => recorder.mark(ts, symbol, mid)] as const),
    ...fills.map((fill, index) => {
      const told = { symbol: 'AAACCC', market: 'spot', tradeId: `t${index}`, ref: `r${index}`, tag: '', ...fill };
      const event = { kind: 'fill', strategy: 'maker', fill: told, mid: 5, arrivalMid: null } as ExecutorEvent;
      return [fill.ts, () => recorder.onExecutorEvent(event)] as const;
    }),
  ];
  for (const [, run] of steps.toSorted(([left], [right]) => left - right)) run();
  expect(recorder.fills.map(({ quoteRate }) => quoteRate)).toEqual(['10', '11']);
  const { stats } = resultsOf(recorder, 8000)[0]!;
  expect(stats.netPnl).toBe(1.5 * 11);
  // 1000; 995 after the purchase: 2 AAA at 50 for 10.5 CCC at 10; 1015 with AAA at 60; 1004.5 with CCC at 11; 1016.5.
  expect(stats.maxDrawdownPct).toBeCloseTo((10.5 / 1015) * 100, 9);
  expect(stats.maxLeverage).toBeCloseTo((2 * 5 * 11) / 1004.5, 9);
  expect([stats.fees, stats.volume]).toEqual([0.5 * 10, 10 * 10 + 12 * 11]);
  expect(stats.expectancy).toBe(2 * 11 - 0.5 * 10);
});
