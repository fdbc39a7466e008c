/** Random programs of several symbols. */
import type { Dataset } from '../dataset.ts';
import { touchAt } from '../script.ts';
import { between, pick, type Random } from './chance.ts';
import type { Reference, Side } from './desk.ts';
import { START } from './play.ts';
import { pair, rebalance } from './reference/many.ts';
import { SAMPLE } from './sample.ts';

/** What the account holds when a program starts. */
export interface Account {
  /** Lots. */
  readonly held: (symbol: string) => number;
  readonly quote: number;
}

export interface Made {
  readonly action: object;
  readonly reference: (before: Account) => Reference;
}

const lotsOf = ({ recorded }: Dataset, quantity: number): number => Math.round(quantity * 10 ** recorded.quantityScale);
const midOf = ({ touches }: Dataset, ms: number): number => {
  const touch = touchAt(touches, ms * 1000);
  return ((touch?.bid ?? 0) + (touch?.ask ?? 0)) / 2;
};
const tickLotOf = ({ recorded }: Dataset): number => 10 ** -(recorded.priceScale + recorded.quantityScale);

/** Weights near those that are held, so that the trades are small. */
export function rebalanceOf(datasets: readonly Dataset[], random: Random, ms: number): Made {
  const worth = datasets.map((dataset) => lotsOf(dataset, START.base) * midOf(dataset, ms) * tickLotOf(dataset));
  const all = worth.reduce((sum, value) => sum + value, START.quote);
  const band = pick(random, [0, 1e-6, 5e-6]);
  const weights = worth.map((value) => Number((value / all + between(random, -1e-5, 1e-5)).toFixed(9)));
  return {
    action: {
      kind: 'rebalance',
      weights: Object.fromEntries(datasets.map(({ base }, index) => [base, weights[index]])),
      band,
    },
    reference: ({ held, quote }) =>
      rebalance(
        datasets.map((dataset, index) => ({
          symbol: dataset.symbol,
          held: held(dataset.symbol),
          weight: weights[index] ?? 0,
          tickLot: tickLotOf(dataset),
        })),
        quote,
        band,
      ),
  };
}

/** Now and then more than the books show, so that a leg stays behind. */
export function pairOf(datasets: readonly Dataset[], random: Random): Made {
  // In the sample's thin books it would take longer than a stretch to be flat again.
  const isHuge = random() < 0.4 && !datasets.some(({ name }) => name.startsWith(SAMPLE));
  const quantity = isHuge ? pick(random, [0.8, 1.5, 2.4]) * 100 : Number(between(random, 0.01, 2).toFixed(3));
  const ratios = datasets.map(({ base }) => {
    const size = base === 'ETH' ? pick(random, [1, 10, 20]) : 1;
    return size * (random() < 0.5 ? 1 : -1);
  });
  const seconds = pick(random, [2, 5]);
  const maxUnhedged = pick(random, [0, quantity / 100]);
  const legs = datasets.map((dataset, index) => {
    const ratio = ratios[index] ?? 1;
    const side: Side = ratio > 0 ? 'buy' : 'sell';
    return { symbol: dataset.symbol, side, quantity: lotsOf(dataset, Math.abs(ratio) * quantity) };
  });
  return {
    action: {
      kind: 'pair',
      legs: datasets.map(({ symbol }, index) => ({ symbol, ratio: ratios[index] })),
      quantity: `${quantity}`,
      maxUnhedged: `${maxUnhedged}`,
      within: `${seconds}s`,
    },
    reference: () => pair(legs, maxUnhedged / quantity, seconds * 1e6),
  };
}
