/** The strategy that asks a model: it holds while the model says yes, and its own model is what its script trains. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scenario } from '../../src/testing/index.ts';
import { trainedModel } from '../../strategies/models/make.ts';
import { featuresOf, WINDOW } from '../../strategies/models/features.ts';
import { logisticModel } from '../../strategies/models/model-file.ts';
import strategy from '../../strategies/onnx-classifier.ts';
import { hasModels } from './runnable.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewire-model-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const swings = Array.from({ length: WINDOW }, (_, index) => 60_000 + (index % 2 === 0 ? 10 : -10));

it('the model of the library is what its script trains', () => {
  expect(Buffer.from(trainedModel())).toEqual(readFileSync('strategies/models/next-candle.onnx'));
});

it('features are returns in standard deviations, unknown until the window is full and while nothing moves', () => {
  expect(featuresOf(swings.slice(1))).toBeUndefined();
  expect(featuresOf(swings.map(() => 60_000))).toBeUndefined();
  // Each candle moves by one deviation; over an even number of candles it comes back.
  expect(featuresOf(swings)?.map((value) => Math.round(value * 100) / 100)).toEqual([1, 0, 0]);
});

describe.skipIf(!hasModels)('onnx-classifier', () => {
  it('goes in when its model is sure of a rise, and out when it sees a fall', async () => {
    // The last candle goes on.
    const file = join(folder, 'last.onnx');
    writeFileSync(file, logisticModel([1, 0, 0], 0));
    const params = { file, interval: '1m', confidence: 0.2 };
    const scene = await scenario({ strategy, params, warmup: swings })
      .candles([60_012], { interval: '1m' })
      .expect({ fills: [] })
      .candles([60_060], { interval: '1m' });
    expect(scene.fills).toMatchObject([{ side: 'buy', quantity: '0.01' }]);
    await scene.candles([60_061, 60_050], { interval: '1m' }).expect({ fills: [{}, { side: 'sell' }], denials: [] });
  });
});
