/**
 * Tidewire's simulated venue and the reference simulator, which was written from simulation.md alone, agree fill by fill:
 * a slice of what `npm run parity` does, on a made-up market and, where they are, on the beginnings of the real files.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type Dataset, datasetOf, hasRealData, openDataset, REAL_FILES } from './dataset.ts';
import { Texts } from './decimal-texts.ts';
import { Exact } from './reference-queue.ts';
import type { Played, Rules, ScriptStep } from './rules.ts';
import { scriptOf, type Scripted } from './script.ts';
import { syntheticLines, type SyntheticKind } from './synthetic.ts';
import { playVenue } from './tidewire.ts';
import { shrink, trial } from './trial.ts';

if (!hasRealData)
  process.stderr.write('SKIPPED: ../shared/data is absent; parity is shown on the made-up market alone\n');

const RULES: Rules = {
  mode: 'default',
  exchange: 'partial-fill',
  queue: { model: 'prob', f: 'power', n: 3, p: 'share' },
  nettingWindowUs: 100_000,
  latency: { model: 'constant' },
  entryUs: 5000,
  responseUs: 5000,
  maker: '0.0002',
  taker: '0.0005',
  quote: '1000000',
  base: '100',
};

const opened: Dataset[] = [];
afterAll(() => {
  for (const dataset of opened) dataset.close();
});

async function agree(dataset: Dataset, seeds: number, ordersMax: number): Promise<void> {
  opened.push(dataset);
  let fills = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const done = await trial(dataset, scriptOf(dataset, seed, ordersMax));
    expect(done.differences, `seed ${seed} of ${dataset.name}`).toEqual([]);
    fills += done.fills;
  }
  expect(fills).toBeGreaterThan(seeds);
}

describe('the simulated venue and the reference simulator', () => {
  it.each<SyntheticKind>(['spot', 'derivative'])('agree on a made-up %s market', async (kind) => {
    await agree(await datasetOf(`synthetic ${kind}`, 'BTCUSDT', syntheticLines(kind, 7, 8000)), 20, 120);
  });

  it.skipIf(!hasRealData).each(REAL_FILES)('agree on the beginning of %s', async (file) => {
    await agree(await openDataset(file, 4000), 10, 80);
  });

  it('disagree when one of them follows another rule, and the script is shrunk to what shows it', async () => {
    const dataset = await datasetOf('synthetic spot', 'BTCUSDT', syntheticLines('spot', 7, 8000));
    opened.push(dataset);
    let shown: Scripted | undefined;
    for (let seed = 1; seed <= 40 && shown === undefined; seed += 1) {
      const script = scriptOf(dataset, seed, 120, RULES, 'venue');
      expect((await trial(dataset, script)).differences).toEqual([]);
      const other: Scripted = { ...script, told: { ...RULES, nettingWindowUs: 0 } };
      if ((await trial(dataset, other)).differences.length > 0) shown = other;
    }
    if (shown === undefined) throw new Error('no script shows another netting window');
    const small = await shrink(dataset, shown);
    expect(small.steps.length).toBeLessThan(6);
    expect((await trial(dataset, small)).differences).not.toEqual([]);
  });
});

describe('the money of a random run', () => {
  it.each<SyntheticKind>(['spot', 'derivative'])('is what its fills moved, to the last digit (%s)', async (kind) => {
    const dataset = await datasetOf(`synthetic ${kind}`, 'BTCUSDT', syntheticLines(kind, 9, 6000));
    opened.push(dataset);
    for (let seed = 1; seed <= 15; seed += 1) {
      const { steps } = scriptOf(dataset, seed, 120, RULES, 'venue');
      const played = playVenue(dataset, steps, RULES);
      const { quote, base } = moved(dataset, steps, played);
      if (kind === 'spot') {
        expect(new Exact(RULES.quote).plus(quote).toFixed()).toBe(played.quote);
        expect(new Exact(RULES.base).plus(base).toFixed()).toBe(played.base);
        continue;
      }
      expect(base.toFixed()).toBe(played.position);
      // Cash of a flat account; else what the position cost is still in it.
      const left = new Exact(played.equity)
        .minus(RULES.quote)
        .minus(quote)
        .minus(base.times(midOf(dataset)));
      expect(left.abs().toNumber()).toBeLessThan(1e-9);
    }
  });
});

/** Σ of what fills paid and received, fees included. */
function moved(dataset: Dataset, steps: readonly ScriptStep[], { orders }: Played) {
  const texts = new Texts(dataset.recorded);
  const sides = new Map(steps.flatMap((step) => (step.kind === 'place' ? [[step.ref, step.side] as const] : [])));
  let [quote, base] = [new Exact(0), new Exact(0)];
  for (const { ref, fills } of orders) {
    const sign = sides.get(ref) === 'buy' ? 1 : -1;
    for (const { price, quantity, fee, feeCurrency } of fills) {
      const size = new Exact(texts.quantity(quantity)).times(sign);
      base = base.plus(size).minus(feeCurrency === 'base' ? fee : 0);
      quote = quote.minus(size.times(texts.price(price))).minus(feeCurrency === 'quote' ? fee : 0);
    }
  }
  return { quote, base };
}

function midOf({ touches, recorded }: Dataset): string {
  const { bid, ask } = touches.at(-1) ?? { bid: 0, ask: 0 };
  return new Exact((bid ?? 0) + (ask ?? 0)).div(2 * 10 ** recorded.priceScale).toFixed();
}
