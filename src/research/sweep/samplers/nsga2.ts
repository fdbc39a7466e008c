/** NSGA-II (Deb et al. 2002) with constraints, for one or several objectives. */
import type { Random } from '../../../model/ports.ts';
import { fronts } from '../judgement.ts';
import type { Space, UnitPoint } from '../space.ts';
import type { Evaluated, Sampler } from './sampler.ts';

const POPULATION = 32;
const CROSSOVER = 0.9;
const CROSSOVER_INDEX = 15;
const MUTATION_INDEX = 20;
const BELOW_ONE = 1 - Number.EPSILON;

interface Ranked extends Evaluated {
  readonly rank: number;
  readonly crowding: number;
}

export function nsga2Sampler({ dimensions }: Space, random: Random): Sampler {
  let population: readonly Ranked[] = [];
  const offspring = (): UnitPoint => {
    const [left, right] = [tournament(population, random), tournament(population, random)];
    return mutate(cross(left.point, right.point, random), random);
  };
  return {
    batch: POPULATION,
    ask: (count) =>
      Array.from({ length: count }, () => (population.length < 2 ? dimensions.map(() => random.next()) : offspring())),
    tell: (evaluated) => {
      population = ranked([...population, ...evaluated])
        .toSorted((a, b) => a.rank - b.rank || b.crowding - a.crowding)
        .slice(0, POPULATION);
    },
  };
}

function ranked(all: readonly Evaluated[]): readonly Ranked[] {
  const result: Ranked[] = [];
  for (const [rank, front] of fronts(all.map(({ judgement }) => judgement)).entries()) {
    const crowding = crowdingOf(front.map((index) => all[index]!));
    for (const [at, index] of front.entries()) result.push({ ...all[index]!, rank, crowding: crowding[at]! });
  }
  return result;
}

/** Sum over objectives of the distance between neighbours; ends are infinite. */
function crowdingOf(front: readonly Evaluated[]): readonly number[] {
  const crowding = front.map(() => 0);
  const objectives = front[0]?.judgement.scores.length ?? 0;
  for (let objective = 0; objective < objectives; objective++) {
    const score = (index: number): number => front[index]!.judgement.scores[objective] ?? 0;
    const order = front.map((_, index) => index).toSorted((a, b) => score(a) - score(b));
    const [first, last] = [order[0]!, order.at(-1)!];
    crowding[first] = Number.POSITIVE_INFINITY;
    crowding[last] = Number.POSITIVE_INFINITY;
    const span = score(last) - score(first);
    if (!(span > 0) || !Number.isFinite(span)) continue;
    for (let at = 1; at < order.length - 1; at++) {
      crowding[order[at]!]! += (score(order[at + 1]!) - score(order[at - 1]!)) / span;
    }
  }
  return crowding;
}

function tournament(population: readonly Ranked[], random: Random): Ranked {
  const draw = (): Ranked => population[Math.floor(random.next() * population.length)]!;
  const [left, right] = [draw(), draw()];
  if (left.rank !== right.rank) return left.rank < right.rank ? left : right;
  return left.crowding >= right.crowding ? left : right;
}

/** One child of simulated binary crossover. */
function cross(left: UnitPoint, right: UnitPoint, random: Random): UnitPoint {
  if (random.next() >= CROSSOVER) return left;
  return left.map((a, index) => {
    const b = right[index]!;
    if (random.next() < 0.5) return a;
    const u = random.next();
    const exponent = 1 / (CROSSOVER_INDEX + 1);
    const beta = u <= 0.5 ? (2 * u) ** exponent : (1 / (2 * (1 - u))) ** exponent;
    const sign = random.next() < 0.5 ? 1 : -1;
    return inside(0.5 * (a + b + sign * beta * Math.abs(a - b)));
  });
}

function mutate(point: UnitPoint, random: Random): UnitPoint {
  const rate = 1 / point.length;
  return point.map((value) => {
    if (random.next() >= rate) return value;
    const u = random.next();
    const exponent = 1 / (MUTATION_INDEX + 1);
    const delta = u < 0.5 ? (2 * u) ** exponent - 1 : 1 - (2 * (1 - u)) ** exponent;
    return inside(value + delta);
  });
}

function inside(value: number): number {
  return Math.min(BELOW_ONE, Math.max(0, value));
}
