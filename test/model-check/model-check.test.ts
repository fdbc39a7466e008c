/** A slice of `npm run model-check`: every area for a few seconds, always with the same seed. */
import { describe, expect, it } from 'vitest';
import { areaNames } from './areas.ts';
import { search } from './search.ts';

const SEED = 20_261_121;
const SEQUENCES = 10;
/** On a machine that has other things to do. */
const BUSY_MS = 120_000;

describe('the sandbox against its models', () => {
  it.each(areaNames)('agrees with them in area %s', { timeout: BUSY_MS }, (area) => {
    const { failure, sequences } = search({ area, sequences: SEQUENCES, seed: SEED });
    expect(failure).toBeNull();
    expect(sequences).toBe(SEQUENCES);
  });
});
