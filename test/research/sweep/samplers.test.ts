import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/model/random.ts';
import { judge } from '../../../src/research/sweep/judgement.ts';
import { samplerOf, type Method } from '../../../src/research/sweep/methods.ts';
import type { Sampler } from '../../../src/research/sweep/samplers/sampler.ts';
import { SobolSequence, SOBOL_DIMENSIONS_MAX } from '../../../src/research/sweep/samplers/sobol.ts';
import { paramsAt, parseSpace, spaceOf, type Space } from '../../../src/research/sweep/space.ts';

function spaceFrom(parameters: Record<string, unknown>, objectives = [{ metric: 'sharpe' }]): Space {
  return spaceOf(parseSpace({ parameters, objectives }, 'test'));
}

const PLANE = spaceFrom({ x: { from: -5, to: 5 }, y: { from: -5, to: 5 } });

/** Greatest value that a method finds of −(x − 2)² − 5(y + 1)², which is 0. */
function climb(method: Method, trials: number, seed: number, space = PLANE): number {
  const sampler = samplerOf(method, space, seededRandom(seed));
  let best = Number.NEGATIVE_INFINITY;
  for (let done = 0; done < trials;) {
    const points = sampler.ask(Math.min(sampler.batch, trials - done));
    const evaluated = points.map((point) => {
      const { x, y } = paramsAt(space, point) as { x: number; y: number };
      const sharpe = -((x - 2) ** 2) - 5 * (y + 1) ** 2;
      best = Math.max(best, sharpe);
      return { point, judgement: judge({ sharpe }, space.objectives, space.constraints) };
    });
    sampler.tell(evaluated);
    done += points.length;
  }
  return best;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

describe('every method', () => {
  const methods: readonly Method[] = ['random', 'sobol', 'tpe', 'cmaes', 'nsga2'];

  it.each(methods)('%s stays inside the unit cube and draws the same for the same seed', (method) => {
    const draw = (): unknown => {
      const sampler: Sampler = samplerOf(method, PLANE, seededRandom(4));
      const all: unknown[] = [];
      for (let round = 0; round < 12; round++) {
        const points = sampler.ask(Math.min(sampler.batch, 9));
        for (const point of points) for (const unit of point) expect(unit >= 0 && unit < 1).toBe(true);
        sampler.tell(points.map((point) => ({ point, judgement: { scores: [point[0]!], violation: 0 } })));
        all.push(points);
      }
      return all;
    };
    expect(draw()).toEqual(draw());
  });

  it.each(['tpe', 'cmaes', 'nsga2'] as const)('%s learns: it beats chance on a bowl', (method) => {
    const seeds = [1, 2, 3, 4, 5, 6, 7];
    const learned = median(seeds.map((seed) => climb(method, 200, seed)));
    const lucky = median(seeds.map((seed) => climb('random', 200, seed)));
    expect(learned).toBeGreaterThan(lucky / 3);
  });

  it('cmaes closes in on the top', () => {
    expect(climb('cmaes', 400, 1)).toBeGreaterThan(-1e-4);
  });

  it('nsga2 spreads along a front of two objectives', () => {
    const space = spaceFrom({ x: { from: 0, to: 1 }, y: { from: 0, to: 1 } }, [
      { metric: 'sharpe' },
      { metric: 'cagr' },
    ]);
    const sampler = samplerOf('nsga2', space, seededRandom(3));
    let last: readonly (readonly number[])[] = [];
    for (let round = 0; round < 30; round++) {
      const points = sampler.ask(32);
      sampler.tell(
        points.map((point) => {
          const [x, y] = [point[0]!, point[1]!];
          // The front is y = 0, x between 0 and 1.
          return { point, judgement: judge({ sharpe: x - y, cagr: 1 - x * x - y }, space.objectives, []) };
        }),
      );
      last = points;
    }
    expect(median(last.map((point) => point[1]!))).toBeLessThan(0.05);
    const xs = last.map((point) => point[0]!);
    expect(Math.min(...xs)).toBeLessThan(0.2);
    expect(Math.max(...xs)).toBeGreaterThan(0.8);
  });

  it('is refused what it cannot search', () => {
    const two = spaceFrom({ x: { from: 0, to: 1 } }, [{ metric: 'sharpe' }, { metric: 'cagr' }]);
    const named = spaceFrom({ mode: { of: ['a', 'b'] } });
    for (const refused of [
      () => samplerOf('tpe', two, seededRandom(1)),
      () => samplerOf('cmaes', named, seededRandom(1)),
      () => samplerOf('grid', PLANE, seededRandom(1)),
    ]) {
      expect(refused).toThrow(expect.objectContaining({ code: 'sweep_space' }));
    }
  });
});

describe('the grid', () => {
  it('is every combination once', () => {
    const space = spaceFrom({
      a: { from: 0, to: 1, step: 0.5 },
      b: { of: ['x', 'y'] },
      c: { from: 1, to: 3, integer: true },
    });
    const sampler = samplerOf('grid', space, seededRandom(1));
    const seen = [...sampler.ask(7), ...sampler.ask(100)].map((point) => JSON.stringify(paramsAt(space, point)));
    expect(seen).toHaveLength(18);
    expect(new Set(seen).size).toBe(18);
    expect(seen[0]).toBe('{"a":0,"b":"x","c":1}');
    expect(seen[1]).toBe('{"a":0,"b":"x","c":2}');
    expect(sampler.ask(1)).toEqual([]);
  });
});

describe("Sobol's sequence", () => {
  it('begins as published', () => {
    const sequence = new SobolSequence(3);
    const points = Array.from({ length: 8 }, () => Array.from(sequence.next(), (value) => value / 2 ** 32));
    expect(points).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
    ]);
  });

  it('puts one of the first 2^k points into each of 2^k equal parts, in every dimension', () => {
    const sequence = new SobolSequence(SOBOL_DIMENSIONS_MAX);
    const counts = Array.from({ length: SOBOL_DIMENSIONS_MAX }, () => new Set<number>());
    for (let index = 0; index < 1024; index++) {
      for (const [dimension, value] of sequence.next().entries()) counts[dimension]!.add(value >>> 22);
    }
    for (const parts of counts) expect(parts.size).toBe(1024);
  });
});

describe('a space', () => {
  it('maps levels there and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 59 }), (levels, wanted) => {
        const space = spaceFrom({ n: { from: 10, to: 10 + levels, integer: true } });
        const [dimension] = space.dimensions;
        const level = wanted % (levels + 1);
        expect(dimension!.valueAt(dimension!.unitOf(level))).toBe(10 + level);
      }),
    );
  });

  it('is even in the logarithm where it says so, and has readable numbers', () => {
    const [dimension] = spaceFrom({ x: { from: 0.01, to: 100, log: true } }).dimensions;
    expect(dimension!.valueAt(0.5)).toBe(1);
    const [stepped] = spaceFrom({ x: { from: 0, to: 1, step: 0.1 } }).dimensions;
    expect(stepped!.levels).toBe(11);
    expect(stepped!.valueAt(stepped!.unitOf(3))).toBe(0.3);
    expect(stepped!.valueAt(stepped!.unitOf(10))).toBe(1);
  });

  it('puts numbers of a list in order and leaves names as they are', () => {
    const [numbers, names] = spaceFrom({ a: { of: ['0.2', '0.1'] }, b: { of: ['z', 'a'] } }).dimensions;
    expect([numbers!.valueAt(0), numbers!.isCategorical]).toEqual(['0.1', false]);
    expect([names!.valueAt(0), names!.isCategorical]).toEqual(['z', true]);
  });

  it.each([
    [{ parameters: {} }, /no parameter/],
    [{ parameters: { a: { from: 2, to: 1 } } }, /from/],
    [{ parameters: { a: { from: 0, to: 1, log: true } } }, /above 0/],
    [{ parameters: { a: { from: 0.5, to: 3, integer: true } } }, /whole/],
    [{ parameters: { a: { of: [1] } }, objectives: [{ metric: 'sharp' }] }, /not a statistic/],
    [{ parameters: { a: { of: [1] } }, constraints: [{ metric: 'trades' }] }, /atLeast or atMost/],
    [{ parameters: { a: { of: [1] } }, objektives: [] }, /objektives/],
  ])('%j is refused with the place', (document, message) => {
    expect(() => parseSpace(document, 'space.yaml')).toThrow(message);
  });
});
