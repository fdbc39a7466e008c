/** A small slice of the verdict study with fixed seeds; `npm run verdict-study` makes all of docs/research.md's. */
import { describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../../src/model/random.ts';
import { traded } from './account.ts';
import { marketOf, RESEARCH_MINUTES } from './market.ts';
import { nullCases, plantedCases, risingCases, studied } from './study.ts';
import { aboveWeak, casesOf, sumOf } from './tally.ts';
import { shapes, signalOf } from './traders.ts';

// Seconds on an idle machine.
vi.setConfig({ testTimeout: 180_000 });

const FREE = { halfSpread: 0, takerFee: 0, makerFee: 0, isLate: false };

describe('the verdict study', () => {
  it.each(shapes)('%s: earns nothing on average where no edge is planted, with falls and without', (shape) => {
    const pnls = Array.from({ length: 60 }, (_, seed) => {
      const random = seededRandom(seed).fork(shape);
      const hasFalls = seed % 2 === 1;
      const signal = signalOf(random.fork('signal'), false);
      const options = { shape, trial: seed % 16, isLongOnly: hasFalls, signal, queueTicks: 0 };
      return traded(marketOf(random, { hasFalls, rise: 0, edge: null }), [0, RESEARCH_MINUTES], options, FREE).netPnl;
    });
    const mean = pnls.reduce((sum, pnl) => sum + pnl, 0) / pnls.length;
    const error = Math.sqrt(pnls.reduce((sum, pnl) => sum + (pnl - mean) ** 2, 0)) / pnls.length;
    expect(mean).toBeLessThan(3 * error);
  });

  it('calls what is worth nothing no more than weak, but for the odd one', () => {
    const all = sumOf(studied(nullCases(4, true)).map(({ verdicts }) => verdicts));
    expect(casesOf(all)).toBe(16);
    expect(all.strong).toBe(0);
    expect(aboveWeak(all)).toBeLessThanOrEqual(2);
  });

  it('takes no rise of the market for an edge', () => {
    const all = sumOf(studied(risingCases(4)).map(({ verdicts }) => verdicts));
    expect(casesOf(all)).toBe(16);
    expect(aboveWeak(all)).toBeLessThanOrEqual(6);
  });

  it('sees a planted edge with a t of six, with costs too', () => {
    const planted = [...plantedCases(8)].filter(([name]) => name.startsWith('t 6'));
    const all = sumOf(studied(new Map(planted)).map(({ verdicts }) => verdicts));
    expect(casesOf(all)).toBe(8);
    expect(all.strong).toBeGreaterThanOrEqual(6);
  });
});
