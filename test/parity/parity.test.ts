/**
 * Tidewire's simulated venue and the reference simulator, which was written from simulation.md alone, agree fill by fill:
 * a slice of what `npm run parity` does, on a made-up market and, where they are, on the beginnings of the real files.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type Dataset, datasetOf, hasRealData, openDataset, REAL_FILES } from './dataset.ts';
import { scriptOf, type Scripted } from './script.ts';
import { syntheticLines, type SyntheticKind } from './synthetic.ts';
import { shrink, trial } from './trial.ts';

if (!hasRealData)
  process.stderr.write('SKIPPED: ../shared/data is absent; parity is shown on the made-up market alone\n');

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
    await agree(await datasetOf(`synthetic ${kind}`, 'BTCUSDT', syntheticLines(kind, 7, 8000)), 25, 120);
  });

  it.skipIf(!hasRealData).each(REAL_FILES)('agree on the beginning of %s', async (file) => {
    await agree(await openDataset(file, 4000), 12, 80);
  });

  it('disagree when one of them follows another rule, and the script is shrunk to what shows it', async () => {
    const dataset = await datasetOf('synthetic spot', 'BTCUSDT', syntheticLines('spot', 7, 8000));
    opened.push(dataset);
    const drawn = scriptOf(dataset, 14, 120);
    const rules = {
      ...drawn.rules,
      nettingWindowUs: 100_000,
      mode: 'default',
      exchange: 'partial-fill',
      queue: { model: 'risk-averse' },
    } as const;
    const queue = { model: 'prob', f: 'power', n: 3, p: 'share' } as const;
    const script: Scripted = { ...drawn, driver: 'venue', rules, told: { ...rules, queue } };
    expect((await trial(dataset, { ...script, told: rules })).differences).toEqual([]);
    expect((await trial(dataset, script)).differences).not.toEqual([]);
    const small = await shrink(dataset, script);
    expect(small.steps.length).toBeLessThan(6);
    expect((await trial(dataset, small)).differences).not.toEqual([]);
  });
});
