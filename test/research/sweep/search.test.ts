import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/model/random.ts';
import type { Trial } from '../../../src/research/ledger/trial-ledger.ts';
import type { Evaluation, Job } from '../../../src/research/sweep/evaluation.ts';
import {
  compareJudgements,
  dominates,
  firstFront,
  fronts,
  judge,
  type Judgement,
} from '../../../src/research/sweep/judgement.ts';
import { landscapeOf } from '../../../src/research/sweep/landscape.ts';
import { luckOf } from '../../../src/research/sweep/luck.ts';
import { samplerOf, type Method } from '../../../src/research/sweep/methods.ts';
import { search, type SearchOptions, type SearchTrial } from '../../../src/research/sweep/search.ts';
import { parseSpace, spaceOf } from '../../../src/research/sweep/space.ts';

const space = spaceOf(
  parseSpace(
    { parameters: { x: { from: 0, to: 1 }, y: { from: 0, to: 1 } }, objectives: [{ metric: 'sharpe' }] },
    'test',
  ),
);

function done(sharpe: number, hash: string): Evaluation {
  const returns = { sampleMs: 1000, values: new Float64Array(0) };
  const period = { from: 0, to: 1 };
  const facts = {
    at: 0,
    command: 'sweep',
    strategy: 's',
    codeHash: 'c',
    dataHash: 'd',
    seed: 1,
    params: {},
    stats: {},
  };
  return {
    kind: 'done',
    metrics: { sharpe },
    trial: { runHash: hash, period, returns, ...facts },
    code: ['c'],
    inputs: [],
    wallMs: 1,
  };
}

/** Noisy on a part of the data, exact on all of it; answers in an order of its own. */
async function evaluate({ params, toMs }: Job): Promise<Evaluation> {
  const { x, y } = params as { x: number; y: number };
  for (let turn = Math.floor(x * 7); turn > 0; turn--) await Promise.resolve();
  const noise = toMs === undefined ? 0 : 0.2 * Math.sin(1000 * x + toMs);
  return done(-((x - 0.3) ** 2) - (y - 0.6) ** 2 + noise, `${x} ${y} ${toMs}`);
}

function options(method: Method, given: Partial<SearchOptions> = {}): SearchOptions {
  return {
    space,
    sampler: samplerOf(method, space, seededRandom(5)),
    trials: 60,
    halving: false,
    workers: 3,
    period: { fromMs: 0, toMs: 900 },
    asked: {},
    evaluate,
    recall: () => null,
    keep: () => {},
    stopped: () => false,
    ...given,
  };
}

describe('a search', () => {
  it.each(['random', 'sobol', 'tpe', 'cmaes', 'nsga2'] as const)(
    'by %s has the same trials with one worker and with five',
    async (method) => {
      const alone = await search(options(method, { workers: 1 }));
      const many = await search(options(method, { workers: 5 }));
      expect(many).toEqual(alone);
      expect(alone.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, number) => number));
    },
  );

  it.each(['random', 'tpe', 'nsga2'] as const)(
    'by %s goes on after any interruption as if there had been none',
    async (method) => {
      const whole = await search(options(method));
      const kept = new Map<string, Evaluation>();
      const keep: SearchOptions['keep'] = (number, rung, _params, evaluation) =>
        kept.set(`${number}/${rung}`, evaluation);
      const recall: SearchOptions['recall'] = (number, rung) => kept.get(`${number}/${rung}`) ?? null;
      for (const limit of [1, 13, 29]) {
        const before = kept.size;
        await search(options(method, { keep, recall, stopped: () => kept.size >= before + limit }));
      }
      let fresh = 0;
      const counted = async (job: Job): Promise<Evaluation> => {
        fresh++;
        return evaluate(job);
      };
      const known = kept.size;
      expect(await search(options(method, { keep, recall, evaluate: counted }))).toEqual(whole);
      expect(fresh).toBe(60 - known);
    },
  );

  it('by halving runs the best third of each part further, and the whole of the data for a few', async () => {
    const jobs: (number | undefined)[] = [];
    const trials = await search(
      options('sobol', {
        halving: true,
        trials: 54,
        evaluate: async (job) => {
          jobs.push(job.toMs);
          return evaluate(job);
        },
      }),
    );
    const count = (toMs: number | undefined): number => jobs.filter((each) => each === toMs).length;
    expect([count(100), count(300), count(undefined)]).toEqual([54, 18, 6]);
    expect(trials.filter(({ state }) => state === 'done').map(({ share }) => share)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(trials.filter(({ state }) => state === 'pruned')).toHaveLength(48);
    expect(trials).toHaveLength(54);
  });

  it('keeps the reason of a trial that failed and learns that it is the worst', async () => {
    const trials = await search(
      options('tpe', {
        evaluate: async (job) =>
          (job.params['x'] as number) > 0.5 ? { kind: 'failed', reason: 'boom' } : evaluate(job),
      }),
    );
    const failed = trials.filter(({ state }) => state === 'failed');
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0]).toMatchObject({ reason: 'boom', runHash: null });
    expect(trials.slice(40).filter(({ state }) => state === 'failed').length).toBeLessThan(6);
  });
});

describe('judgement', () => {
  const of = (scores: readonly number[], violation = 0): Judgement => ({ scores, violation });

  it('puts the feasible first, then what breaks less, then what is better', () => {
    const sorted = [of([9], 2), of([1]), of([5]), of([9], 1)].toSorted(compareJudgements);
    expect(sorted).toEqual([of([5]), of([1]), of([9], 1), of([9], 2)]);
  });

  it('turns what is to be small, and has undefined lose to everything', () => {
    const objectives = [{ metric: 'sharpe', direction: 'minimize' as const }];
    expect(judge({ sharpe: 2 }, objectives, []).scores).toEqual([-2]);
    expect(judge({ sharpe: null }, objectives, []).scores).toEqual([Number.NEGATIVE_INFINITY]);
    expect(judge({ trades: 5 }, [], [{ metric: 'trades', atLeast: 10 }]).violation).toBe(0.5);
    expect(judge({ trades: 12 }, [], [{ metric: 'trades', atLeast: 10, atMost: 20 }]).violation).toBe(0);
  });

  it('parts trials into fronts in which none beats another', () => {
    const all = Array.from({ length: 60 }, (_, index) => of([Math.sin(index * 7), Math.cos(index * 3)]));
    const parts = fronts(all);
    expect(parts.flat().toSorted((a, b) => a - b)).toEqual(all.map((_, index) => index));
    for (const [rank, front] of parts.entries()) {
      for (const left of front) {
        for (const right of front) expect(dominates(all[left]!, all[right]!)).toBe(false);
        if (rank > 0) expect(parts[rank - 1]!.some((above) => dominates(all[above]!, all[left]!))).toBe(true);
      }
    }
  });

  it('knows the first front, by itself, of any trials', () => {
    const score = fc.constantFrom(-1, 0, 1, 2, Number.NEGATIVE_INFINITY);
    const judgement = fc.record({
      scores: fc.tuple(score, score, score),
      violation: fc.constantFrom(0, 0, 0, 1),
    });
    fc.assert(
      fc.property(fc.array(judgement, { maxLength: 30 }), (all) => {
        expect(firstFront(all)).toEqual(fronts(all)[0] ?? []);
        expect(firstFront(all)).toEqual(
          all.flatMap((own, index) => (all.some((other) => dominates(other, own)) ? [] : [index])),
        );
      }),
    );
  });

  it.each([1, 2])('holds the front alone of 30,000 trials with %i objectives', (objectives) => {
    const random = seededRandom(4);
    const all = Array.from({ length: 30_000 }, () => of(Array.from({ length: objectives }, () => random.next())));
    const front = firstFront(all);
    const isBeaten = (own: Judgement): boolean => front.some((at) => dominates(all[at]!, own));
    expect(all.filter((own) => !isBeaten(own))).toEqual(front.map((index) => all[index]));
    expect(front.length).toBeLessThan(50);
  });
});

describe('the luck of a search', () => {
  it('is that of the trials, however often one of them was asked for', () => {
    const random = seededRandom(3);
    const trials = Array.from({ length: 6 }, (_, index): Trial => {
      const evaluation = done(0, `h${index}`) as Extract<Evaluation, { kind: 'done' }>;
      const values = Float64Array.from({ length: 64 }, () => random.next() - 0.4);
      return { ...evaluation.trial, returns: { sampleMs: 1000, values } };
    });
    const hashes = trials.map(({ runHash }) => runHash);
    const once = luckOf('h0', hashes, trials);
    expect(once.pbo).toBeGreaterThan(0.2);
    expect(luckOf('h0', [...Array.from({ length: 40 }, () => 'h0'), ...hashes, 'h3', 'h3'], trials)).toEqual(once);
  });
});

describe('the landscape', () => {
  function trialsOf(value: (x: number, y: number) => number): SearchTrial[] {
    const random = seededRandom(2);
    return Array.from({ length: 200 }, (_, number) => {
      const point = [random.next(), random.next()];
      const metrics = { sharpe: value(point[0]!, point[1]!) };
      const judgement = judge(metrics, space.objectives, []);
      return { number, point, params: {}, state: 'done', share: 1, metrics, judgement, runHash: 'h', reason: null };
    });
  }

  it('knows a plateau from a peak that stands alone', () => {
    const hill = landscapeOf(
      space,
      trialsOf((x, y) => -((x - 0.5) ** 2) - (y - 0.5) ** 2),
    );
    const noise = seededRandom(9);
    const spikes = landscapeOf(
      space,
      trialsOf(() => noise.next()),
    );
    expect(hill.plateauScore).toBeGreaterThan(0.85);
    expect(spikes.plateauScore).toBeLessThan(0.75);
    expect(hill.edges).toEqual([]);
  });

  it('says which parameter ends too early and which one matters', () => {
    const { edges, importance } = landscapeOf(
      space,
      trialsOf((x) => x),
    );
    expect(edges).toContainEqual({ name: 'x', end: 'high' });
    expect(importance[0]!.share).toBeGreaterThan(0.9);
    expect(importance[1]!.share).toBeLessThan(0.2);
  });
});
