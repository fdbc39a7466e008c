/**
 * Trains the model of `strategies/onnx-classifier.ts` and writes it: `node strategies/models/make.ts`. A logistic regression on the first
 * eighteen days of data/sample-bars, by gradient descent; the same file at each call.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleBars } from '../../data/sample-bars/make.ts';
import { featuresOf, WINDOW } from './features.ts';
import { logisticModel } from './model-file.ts';

const MINUTES_A_CANDLE = 15;
const TRAINING_DAYS = 18;
const STEPS = 2_000;
const RATE = 0.5;

interface Example {
  readonly features: readonly number[];
  readonly isUp: number;
}

export function trainedModel(): Uint8Array {
  const minutes = sampleBars().slice(0, TRAINING_DAYS * 24 * 60);
  const closes = minutes
    .filter((_, index) => index % MINUTES_A_CANDLE === MINUTES_A_CANDLE - 1)
    .map((line) => Number(line.split(',')[4]));
  const examples: Example[] = [];
  for (let end = WINDOW; end < closes.length; end++) {
    const features = featuresOf(closes.slice(end - WINDOW, end));
    if (features !== undefined) examples.push({ features, isUp: Number(closes[end]! > closes[end - 1]!) });
  }
  let weights = (examples[0]?.features ?? []).map(() => 0);
  let bias = 0;
  for (let step = 0; step < STEPS; step++) {
    const slopes = weights.map(() => 0);
    let slope = 0;
    for (const { features, isUp } of examples) {
      const score = features.reduce((sum, value, index) => sum + value * weights[index]!, bias);
      const error = (1 / (1 + Math.exp(-score)) - isUp) / examples.length;
      for (const [index, value] of features.entries()) slopes[index]! += error * value;
      slope += error;
    }
    weights = weights.map((weight, index) => weight - RATE * slopes[index]!);
    bias -= RATE * slope;
  }
  return logisticModel(weights, bias);
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'next-candle.onnx'), trainedModel());
