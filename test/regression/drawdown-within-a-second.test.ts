/** Of each second low, high and last were kept: a fall after a rise within it was missing in the maximum drawdown. */
import { expect, it } from 'vitest';
import { Amounts } from '../../src/session/recorder/amounts.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';
import { drawdownOf } from '../../src/statistics/drawdown.ts';
import { instruments, spot } from '../simulation/market.ts';

const CAPITAL = 1_000;

/** The deepest drawdown in percent, with one unit held over these mids. */
function drawdownOver(mids: readonly (readonly [atMs: number, mid: number])[], pointsMax: number): number | null {
  const recorder = new RunRecorder(instruments, 'BBB', { pointsMax });
  const held = new Amounts();
  held.add('BBB', CAPITAL);
  recorder.equity.begin(0);
  recorder.equity.hold(held);
  recorder.mark(0, spot.symbol, 100);
  recorder.equity.trade(spot, { side: 'buy', price: '100', quantity: '1', fee: '0', feeCurrency: 'BBB' });
  recorder.equity.point(0);
  for (const [atMs, mid] of mids) recorder.mark(atMs, spot.symbol, mid);
  recorder.equity.point(1e9);
  return drawdownOf(recorder.equity.series(), 1e9).maxDrawdownPct;
}

it('statistics/drawdown/within-a-second: counts a fall from a high that is exceeded later', () => {
  const within = [
    [100, 90],
    [200, 130],
    [300, 91],
    [400, 140],
  ] as const;
  expect(drawdownOver(within, Infinity)).toBeCloseTo((39 / 1_030) * 100, 10);
});

it('statistics/drawdown/within-a-stretch: counts it where a long session keeps the extremes of hours', () => {
  const hours = Array.from({ length: 40 }, (_, hour) => [(hour + 1) * 3_600_000, 100 + 5 * hour] as const);
  const fall = [
    [hours[20]![0] + 60_000, 110],
    [hours[20]![0] + 120_000, 250],
    [hours[20]![0] + 180_000, 201],
    [hours[20]![0] + 240_000, 260],
  ] as const;
  const mids = [...hours.slice(0, 21), ...fall, ...hours.slice(21).map(([at]) => [at, 270] as const)];
  const exact = drawdownOver(mids, Infinity);
  expect(exact).toBeCloseTo((90 / 1_100) * 100, 10);
  expect(drawdownOver(mids, 16)).toBe(exact);
});
