/** Every metric of a backtest equals what an independent script makes of its result file, to 1e-9. */
import { afterAll, describe, expect, it } from 'vitest';
import type { ResultDocument } from '../../src/session/result/result.ts';
import { datasetOf, hasRealData, openDataset, type Dataset } from './dataset.ts';
import { recompute } from './metrics.ts';
import type { Rules } from './rules.ts';
import { scriptOf } from './script.ts';
import { syntheticLines, type SyntheticKind } from './synthetic.ts';
import { playSession } from './tidewire.ts';

const opened: Dataset[] = [];
afterAll(() => {
  for (const dataset of opened) dataset.close();
});

/** Small enough that a profit shows in the equity. */
const rules: Rules = {
  mode: 'default',
  exchange: 'partial-fill',
  queue: { model: 'prob', f: 'power', n: 3, p: 'share' },
  nettingWindowUs: 100_000,
  latency: { model: 'constant' },
  entryUs: 25_000,
  responseUs: 25_000,
  maker: '0.0002',
  taker: '0.0005',
  quote: '1000000',
  base: '10',
};

/** Of several runs or of none: not of a single backtest; funding: nothing is settled here; the account's own: test/session/own-equity.test.ts. */
const ELSEWHERE = new Set([
  'heldDrift',
  'external',
  'accountPnl',
  'dsr',
  'pbo',
  'minBacktestYears',
  'maxTPValue',
  'effectiveTrials',
  'funding',
]);

async function check(dataset: Dataset, seed: number): Promise<number> {
  if (!opened.includes(dataset)) opened.push(dataset);
  const { steps } = scriptOf(dataset, seed, 150, rules, 'session');
  const { run } = await playSession(dataset, steps, rules);
  return compare(run.result, midsOf(dataset));
}

/** Each mid of the data by the reference's own reader. */
function midsOf({ touches, recorded }: Dataset): readonly (readonly [number, number])[] {
  return touches.map(({ us, bid, ask }) => [
    Math.floor(us / 1000),
    ((bid ?? 0) + (ask ?? 0)) / 2 / 10 ** recorded.priceScale,
  ]);
}

function compare(document: ResultDocument, mids: readonly (readonly [number, number])[]): number {
  const expected = recompute(document, mids);
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(document.stats)) {
    if (ELSEWHERE.has(name)) continue;
    const pairs: [unknown, unknown][] = Array.isArray(value)
      ? value.map((one, index) => [one, (expected[name] as readonly number[] | null)?.[index]])
      : [[value, expected[name]]];
    for (const [mine, other] of pairs)
      if (!isSame(mine, other)) wrong.push(`${name}: ${String(mine)}, recomputed ${String(other)}`);
  }
  expect(wrong).toEqual([]);
  return Object.values(document.stats).filter((value) => value !== null).length;
}

function isSame(mine: unknown, other: unknown): boolean {
  if (typeof mine !== 'number' || typeof other !== 'number') return mine === other;
  return Math.abs(mine - other) <= 1e-9 * Math.max(1, Math.abs(mine));
}

describe('the metrics of a backtest, recomputed from its result', () => {
  it.each<SyntheticKind>(['spot', 'derivative'])('over two weeks of a made-up %s market', async (kind) => {
    const dataset = await datasetOf(`weeks ${kind}`, 'BTCUSDT', syntheticLines(kind, 11, 4500, 300_000));
    // Annualised values and markouts of data that shows a price each few minutes included.
    expect(await check(dataset, 5)).toBeGreaterThan(40);
  });

  it.each<SyntheticKind>(['spot', 'derivative'])('over seconds of a made-up %s market', async (kind) => {
    const dataset = await datasetOf(`seconds ${kind}`, 'BTCUSDT', syntheticLines(kind, 12, 8000));
    expect(await check(dataset, 6)).toBeGreaterThan(35);
  });

  it.skipIf(!hasRealData)('over the beginning of a real file', async () => {
    const dataset = await openDataset('spot-ethusdt-20240808', 6000);
    const known = [await check(dataset, 1), await check(dataset, 2), await check(dataset, 4)];
    expect(Math.max(...known)).toBeGreaterThan(35);
  });
});
