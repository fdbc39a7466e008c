import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MidProbes } from '../../src/statistics/mid-probes.ts';
import { seriesOf, valueAt, type Point } from '../../src/statistics/series.ts';

test('each delay gets the mid that stood at that very time', () => {
  const probes = new MidProbes();
  probes.mark(0, 'A', 100);
  const answer = probes.fill(300, 'A');
  probes.mark(1200, 'A', 101);
  probes.mark(1300, 'A', 102);
  probes.mark(1301, 'A', 103);
  probes.mark(9000, 'A', 104);
  expect(answer).toEqual([102, 103, null]);
  probes.end(30_300);
  expect(answer).toEqual([102, 103, 104]);
});

test('other symbols do not answer, and what the data does not reach stays unknown', () => {
  const probes = new MidProbes();
  const answer = probes.fill(0, 'A');
  probes.mark(50_000, 'B', 1);
  expect(answer).toEqual([null, null, null]);
});

test('probes equal a look-up in the whole path afterwards', () => {
  const steps = fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: 4000 }), mid: fc.integer({ min: 1, max: 9 }), fill: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 80,
    },
  );
  fc.assert(
    fc.property(steps, (rows) => {
      const probes = new MidProbes();
      const path: Point[] = [];
      const asked: { ts: number; answer: readonly (number | null)[] }[] = [];
      let now = 0;
      for (const { wait, mid, fill } of rows) {
        now += wait;
        probes.mark(now, 'A', mid);
        path.push([now, mid]);
        if (fill) asked.push({ ts: now, answer: probes.fill(now, 'A') });
      }
      probes.end(now);
      for (const { ts, answer } of asked) {
        const expected = [1000, 5000, 30_000].map((delay) =>
          ts + delay > now ? null : valueAt(seriesOf(path), ts + delay),
        );
        expect(answer).toEqual(expected);
      }
    }),
  );
});
