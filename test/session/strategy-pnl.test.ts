/** The results of strategies by their positions against the session's own equity: two ways, one sum. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VenueFill } from '../../src/model/fill.ts';
import { dec } from '../../src/model/money.ts';
import { Amounts } from '../../src/session/amounts.ts';
import { RunRecorder } from '../../src/session/run-recorder.ts';
import { strategyPnl } from '../../src/session/strategy-pnl.ts';
import { amountsOf, Positions } from '../../src/spine/positions.ts';
import { instruments, perpetual, spot } from '../simulation/market.ts';

const TAGS = ['maker', 'taker', 'idle'];

const step = fc.record({
  tag: fc.constantFrom('maker', 'taker'),
  instrument: fc.constantFrom(spot, perpetual),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 80, max: 120 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  feeIn: fc.constantFrom('base', 'quote'),
  fee: fc.constantFrom('0', '0.01', '0.3', '-0.02'),
  funding: fc.option(fc.constantFrom('0.7', '-1.25')),
});

it('session/strategy-pnl/the strategies sum up to the result of the session', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 50, max: 150 }), (steps, last) => {
      const positions = new Positions();
      const recorder = new RunRecorder(instruments, 'BBB');
      recorder.begin(0, () => null);
      for (const [index, { tag, instrument, side, price, quantity, feeIn, fee, funding }] of steps.entries()) {
        const { symbol, market } = instrument;
        const feeCurrency = market === 'spot' && feeIn === 'base' ? 'AAA' : 'BBB';
        const amounts = { price: String(price), quantity: String(quantity), fee, feeCurrency };
        const fill = { tradeId: `t${index}`, symbol, market, side, ...amounts, ts: index } as VenueFill;
        positions.apply(tag, instrument, fill, amountsOf(fill));
        recorder.traded(fill);
        if (funding === null || market === 'spot') continue;
        positions.fund(tag, instrument, 'both', dec(funding));
        recorder.funded(index, 'BBB', funding);
      }
      for (const { symbol } of [spot, perpetual]) recorder.equity.price(steps.length, symbol, last);
      const each = TAGS.map((tag) => strategyPnl(positions.all(), tag, recorder) ?? Number.NaN);
      expect(each[2]).toBe(0);
      const whole = recorder.equity.figures(new Amounts())!.netPnl.toNumber();
      expect(each.reduce((sum, value) => sum + value, 0)).toBeCloseTo(whole, 6);
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
  const unpriced = { price: () => undefined, rate: () => 1 };
  trade('buy', 'a');
  expect(strategyPnl(positions.all(), 'maker', unpriced)).toBeNull();
  trade('sell', 'b');
  expect(strategyPnl(positions.all(), 'maker', unpriced)).toBe(0);
  expect(strategyPnl(positions.all(), 'maker', { price: () => 1, rate: () => undefined })).toBeNull();
});
