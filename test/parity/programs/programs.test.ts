/**
 * Order programs beside their references, which were written from the contract alone: a slice of what
 * `npm run parity -- --programs N` does, on the sample, a made-up market and, where it is, the beginning of a real file.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type Dataset, datasetOf, hasRealData, openDataset } from '../dataset.ts';
import { syntheticLines } from '../synthetic.ts';
import { openSample } from './sample.ts';
import { MANY_KINDS, programTrials, SINGLE_KINDS } from './trial.ts';

if (!hasRealData)
  process.stderr.write('SKIPPED: ../shared/data is absent; programs are played on the sample and a made-up market\n');

const opened: Dataset[] = [];
afterAll(() => {
  for (const dataset of opened) dataset.close();
});

async function agree(datasets: readonly Dataset[], seeds: readonly number[]): Promise<void> {
  opened.push(...datasets);
  let children = 0;
  for (const seed of seeds) {
    const trials = await programTrials(datasets, seed, datasets.length > 1 ? MANY_KINDS : SINGLE_KINDS);
    expect(trials.length).toBeGreaterThan(0);
    for (const { action, differences, ...trial } of trials) {
      expect(differences, `seed ${seed} of ${datasets[0]?.name}: ${JSON.stringify(action)}`).toEqual([]);
      children += trial.children;
    }
  }
  expect(children).toBeGreaterThan(5);
}

describe('order programs and their references', () => {
  it('agree on a made-up derivative market of few lots', async () => {
    const lines = syntheticLines('derivative', 7, 60_000);
    await agree([await datasetOf('synthetic derivative', 'BTCUSDT', lines)], [1, 2, 3, 4]);
  });

  it('agree on the sample', async () => {
    await agree([await openSample('BTCUSDT')], [1, 2]);
  });

  it('agree on the sample, of two symbols', async () => {
    await agree([await openSample('BTCUSDT'), await openSample('ETHUSDT')], [1]);
  });

  it.skipIf(!hasRealData)('agree on the beginning of a real file', async () => {
    await agree([await openDataset('spot-btcusdt-20240808', 14_000)], [1, 2]);
  });
});
