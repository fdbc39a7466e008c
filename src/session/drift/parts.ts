/** The parts of a drift, in order of attribution (docs/drift.md). */
import { ZERO, type Decimal } from '../../model/numbers/money.ts';

export const driftParts = {
  signal: 'the session sent other orders than the backtest, or at other times',
  latency: 'its orders arrived at other times than the configured latency says',
  missedFills: 'orders that the market reached or met were filled less, or more',
  queue: 'resting orders were nearer to or farther from the front of their queues',
  fees: 'other rates were charged, or maker was taker',
  funding: 'funding that was paid or received',
  rest: 'other prices for the same quantity, liquidations, and fills of orders from before',
} as const;

export type DriftPart = keyof typeof driftParts;

export const DRIFT_PARTS = Object.keys(driftParts) as readonly DriftPart[];

export type PartSums = Record<DriftPart, Decimal>;

export function noParts(): PartSums {
  const sums: Partial<PartSums> = {};
  for (const part of DRIFT_PARTS) sums[part] = ZERO;
  return sums as PartSums;
}
