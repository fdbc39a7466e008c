/** Queue models: how much of a decrease without a trade was ahead of an own order. Lots, fractions allowed. */
import type { QueueOptions } from '../options.ts';

/**
 * @param front lots ahead before
 * @param previous displayed before
 * @param next displayed after
 * @param traded printed since the last change
 * @returns lots ahead after
 */
export type QueueModel = (front: number, previous: number, next: number, traded: number) => number;

export const riskAverse: QueueModel = (front, _previous, next) => Math.min(front, next);

type Share = (front: number, back: number) => number;

function shareOf(options: Extract<QueueOptions, { model: 'prob' }>): Share {
  const { n } = options;
  const f = options.f === 'log' ? Math.log1p : n === 3 ? (x: number) => x * x * x : (x: number) => Math.pow(x, n);
  switch (options.p) {
    case 'share':
      return (front, back) => f(back) / (f(back) + f(front));
    case 'total':
      return (front, back) => f(back) / f(front + back);
    case 'complement':
      return (front, back) => 1 - f(front / (front + back));
  }
}

/** p: probability that a cancel was behind the order; 1 where undefined. */
function prob(share: Share): QueueModel {
  return (front, previous, next, traded) => {
    const change = previous - next - traded;
    if (change < 0) return Math.min(front, next);
    const back = Math.max(0, previous - front);
    const drawn = share(front, back);
    const p = Number.isFinite(drawn) ? drawn : 1;
    const estimate = front - (1 - p) * change + Math.min(back - p * change, 0);
    return Math.max(0, Math.min(estimate, next));
  };
}

/** Fills only when the price is reached or passed. */
export const last: QueueModel = () => Infinity;

export function createQueueModel(options: QueueOptions): QueueModel {
  if (options.model === 'prob') return prob(shareOf(options));
  return options.model === 'last' ? last : riskAverse;
}
