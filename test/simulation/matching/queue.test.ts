/** Rule M6: the queue models, by their formula and by their laws. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulationOptions } from '../../../src/simulation/options.ts';
import { createQueueModel } from '../../../src/simulation/matching/queue.ts';

const model = (queue: unknown) => createQueueModel(simulationOptions.parse({ queue }).queue);

const all = [
  'risk-averse',
  'prob',
  { model: 'prob', f: 'log' },
  { model: 'prob', f: 'power', n: 1, p: 'total' },
  { model: 'prob', f: 'power', n: 2, p: 'complement' },
  { model: 'prob', f: 'log', p: 'total' },
];

describe('queue models', () => {
  it('risk-averse: front = min(front, new)', () => {
    expect(model('risk-averse')(6, 10, 8, 0)).toBe(6);
    expect(model('risk-averse')(6, 10, 4, 0)).toBe(4);
  });

  it('prob(x^3), the default: p = f(b)/(f(b) + f(a))', () => {
    // front 6 of 10: p = 64/(64 + 216); chg 2.
    const p = 64 / 280;
    expect(model('prob')(6, 10, 8, 0)).toBeCloseTo(6 - (1 - p) * 2, 12);
    // Printed 2 of the 2: nothing was cancelled.
    expect(model('prob')(4, 10, 8, 2)).toBe(4);
    // An increase is behind.
    expect(model('prob')(4, 10, 12, 0)).toBe(4);
  });

  it.each([
    [{ model: 'prob', f: 'log' }, Math.log1p(4) / (Math.log1p(4) + Math.log1p(6))],
    [{ model: 'prob', f: 'power', n: 2, p: 'total' }, 16 / 100],
    [{ model: 'prob', f: 'power', n: 2, p: 'complement' }, 1 - 0.36],
    [{ model: 'prob', f: 'log', p: 'complement' }, 1 - Math.log1p(0.6)],
  ])('prob variant %j', (queue, p) => {
    expect(model(queue)(6, 10, 9, 0)).toBeCloseTo(6 - (1 - p), 12);
  });

  it('takes what does not fit behind from the front', () => {
    // p = 216/280 of chg 9 would take 6.94 from a back of 6: the rest comes from the front.
    const p = 216 / 280;
    expect(model('prob')(4, 10, 1, 0)).toBeCloseTo(4 - (1 - p) * 9 + (6 - p * 9), 12);
  });

  it('p is 1 where it is undefined', () => {
    expect(model({ model: 'prob', p: 'share' })(0, 0, 0, 0)).toBe(0);
  });

  it('the front never grows, never is negative and never exceeds what is displayed after a decrease', () => {
    const lots = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(fc.constantFrom(...all), lots, lots, lots, lots, (queue, front, extra, next, traded) => {
        const previous = front + extra;
        const after = model(queue)(front, previous, next, traded);
        expect(after).toBeGreaterThanOrEqual(0);
        expect(after).toBeLessThanOrEqual(Math.max(front, 0));
        expect(after).toBeLessThanOrEqual(next);
      }),
    );
  });
});
