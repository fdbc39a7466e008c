/** A fixed, small number of storms; `npm run chaos` runs as many as one likes and prints the seed of each failure. */
import { describe, it } from 'vitest';
import { storm } from './chaos.ts';

describe('under random faults', () => {
  it.concurrent.each([1, 2, 3, 4, 5, 6])(
    'storm %i ends in agreement with the exchange',
    async (seed) => {
      await storm({ seed, steps: 60 });
    },
    60_000,
  );
});
