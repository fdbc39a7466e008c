/** The page of a search says the same as the search: what breaks a constraint is not the best, wherever it is drawn. */
import { expect, it } from 'vitest';
import { renderSweep } from '../../../src/research/sweep/report/render.ts';
import { scoredTrials } from '../../../src/research/sweep/report/scale.ts';
import type { SweepResult, SweepTrial } from '../../../src/research/sweep/result.ts';

function trial(number: number, tradingPnl: number, trades: number): SweepTrial {
  const metrics = { tradingPnl, trades };
  const params = { width: number };
  const shown = { state: 'done', share: 1, runHash: `${number}abcdefgh`, reason: null } as const;
  return { number, params, ...shown, metrics, feasible: trades >= 5, point: [number / 10] };
}

const trials = [trial(0, -3, 9), trial(1, 4, 0), trial(2, -1, 7), trial(3, 2, 1)];

const result: SweepResult = {
  command: 'sweep',
  strategy: 'maker',
  study: 'abc',
  method: 'tpe',
  seed: 1,
  halving: false,
  period: { from: 0, to: 60_000 },
  space: {
    parameters: { width: { from: 0, to: 10, integer: false, log: false } },
    objectives: [{ metric: 'tradingPnl', direction: 'maximize' }],
    constraints: [{ metric: 'trades', atLeast: 5 }],
  },
  counts: { asked: 4, done: 4, pruned: 0, failed: 0, infeasible: 2, resumed: 0 },
  best: trials[2] ?? null,
  front: [trials[2]!],
  landscape: { plateauScore: null, edges: [], importance: [{ name: 'width', share: 0.5 }] },
  luck: {
    trialsOnData: 4,
    effectiveTrials: 2,
    dsr: 0.1,
    minBacktestYears: null,
    pbo: null,
    periods: 60,
    sampleMs: 1000,
  },
  trials,
  workers: 1,
  wallMs: 100,
  trialsPerMinute: 60,
  interrupted: false,
  warnings: [],
  files: { report: null, result: null },
};

it('ranks what breaks a constraint behind all that do not', () => {
  const order = scoredTrials(result).toSorted((a, b) => b.share - a.share);
  expect(order.map(({ trial: { number } }) => number)).toEqual([2, 0, 1, 3]);
  expect(order.map(({ share }) => Math.round(share * 100))).toEqual([100, 67, 33, 0]);
});

it('lists the best first, counts without decimals, and says what the mark means', () => {
  const page = renderSweep(result);
  const cells = [...page.matchAll(/<tr>\s*<td>(\d+)( ✗)?<\/td>[\s\S]*?<\/tr>/g)];
  expect(cells.map(([, number, mark]) => `${number}${mark ?? ''}`)).toEqual(['2', '0', '1 ✗', '3 ✗']);
  expect(cells[0]?.[0]).toContain('<td class="number">7</td>');
  expect(page).toContain('✗ breaks a constraint');
});

it('draws the best so far without it', () => {
  const page = renderSweep(result);
  const [, points = ''] = /<polyline points="([^"]*)" fill="none" class="best"/.exec(page) ?? [];
  const heights = points.split(' ').map((point) => Number(point.split(',')[1]));
  // Trial 1 has the highest value, which the line never reaches.
  expect(heights.length).toBe(4);
  expect(Math.min(...heights)).toBeGreaterThan(22 + 1);
});
