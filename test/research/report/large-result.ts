/** A result of a very long run: a million equity points and a hundred thousand fills. */
import type { BacktestResult, ResultFill } from '../../../src/session/result/result.ts';
import { sampleResult, T0 } from './sample-result.ts';

const SECOND = 1000;

/** Points one a second. The curve wanders by a fixed rule, so that it is the same each time. */
export function largeResult(points = 1_000_000, fills = 100_000): BacktestResult {
  const base = sampleResult();
  let state = 1;
  let value = 100_000;
  const equity = Array.from({ length: points }, (_, index): [number, number] => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    value += state / 2_147_483_648 - 0.4995;
    return [T0 + index * SECOND, value];
  });
  const to = T0 + (points - 1) * SECOND;
  const mids = Array.from({ length: 6000 }, (_, index): [number, number] => [
    T0 + Math.floor((index * (to - T0)) / 5999),
    60_000 + 2000 * Math.sin(index / 300) + 40 * Math.sin(index),
  ]);
  const template = base.fills[0]!;
  const made = Array.from({ length: fills }, (_, index): ResultFill => ({
    ...template,
    ts: T0 + Math.floor(((index + 1) * (to - T0)) / (fills + 1)),
    side: index % 2 === 0 ? 'buy' : 'sell',
    price: (60_000 + 2000 * Math.sin(index / ((300 * fills) / 6000))).toFixed(2),
    orderRef: `maker-${index}`,
  }));
  return {
    ...base,
    strategy: 'a long run',
    period: { from: T0, to },
    equity,
    fills: made,
    excursions: [],
    chart: { prices: [{ kind: 'line', symbol: 'BTCUSDT', points: mids }] },
  };
}
