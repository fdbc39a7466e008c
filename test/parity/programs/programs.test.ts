/**
 * Order programs beside their references, which were written from the contract alone: a slice of what
 * `npm run parity -- --programs N` does, on a made-up market and, where it is, on the beginning of a real file.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type Dataset, datasetOf, hasRealData, openDataset } from '../dataset.ts';
import { syntheticLines, type SyntheticKind } from '../synthetic.ts';
import { programTrials, SINGLE_KINDS } from './trial.ts';

if (!hasRealData) process.stderr.write('SKIPPED: ../shared/data is absent; programs are played on a made-up market\n');

const opened: Dataset[] = [];
afterAll(() => {
  for (const dataset of opened) dataset.close();
});

async function agree(dataset: Dataset, seeds: readonly number[]): Promise<void> {
  opened.push(dataset);
  let children = 0;
  for (const seed of seeds) {
    const trials = await programTrials([dataset], seed, SINGLE_KINDS);
    expect(trials.length).toBeGreaterThan(0);
    for (const { action, differences, ...trial } of trials) {
      expect(differences, `seed ${seed} of ${dataset.name}: ${JSON.stringify(action)}`).toEqual([]);
      children += trial.children;
    }
  }
  expect(children).toBeGreaterThan(10);
}

describe('order programs and their references', () => {
  it.each<SyntheticKind>(['spot', 'derivative'])('agree on a made-up %s market', async (kind) => {
    await agree(await datasetOf(`synthetic ${kind}`, 'BTCUSDT', syntheticLines(kind, 7, 60_000)), [1, 2, 3, 4]);
  });

  it.skipIf(!hasRealData)('agree on the beginning of a real file', async () => {
    await agree(await openDataset('spot-btcusdt-20240808', 14_000), [1, 2]);
  });
});
