/**
 * The next step towards a target position. Pure. Orders in flight count in the worse direction, so a repeated target is
 * not traded twice.
 *
 *   position − sells ──────── position ──────── position + buys        where it may end up
 *        sell while this > target          buy while this < target
 */
import type { Side } from '../model/order.ts';

export interface TargetFacts {
  /** Signed lots. */
  readonly targetLots: number;
  /** Signed lots, with a fraction after a fee in base. */
  readonly positionLots: number;
  readonly buyLots: number;
  readonly sellLots: number;
  readonly minLots: number;
  /** One-way derivatives: through zero in two steps. */
  readonly reduceFirst: boolean;
}

export type TargetStep =
  | { readonly kind: 'done' }
  /** Something in flight must end first. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'order'; readonly side: Side; readonly lots: number; readonly reduceOnly: boolean };

/** Absorbs floating-point error in lots. */
const EPSILON = 1e-9;

const DONE: TargetStep = Object.freeze({ kind: 'done' });
const WAIT: TargetStep = Object.freeze({ kind: 'wait' });

/** Negative to sell; 0 for nothing to send. */
export function lotsMissing(targetLots: number, positionLots: number, buyLots: number, sellLots: number): number {
  const buys = wholeLots(targetLots - (positionLots + buyLots));
  if (buys > 0) return buys;
  const sells = wholeLots(positionLots - sellLots - targetLots);
  return sells > 0 ? -sells : 0;
}

export function planTarget(facts: TargetFacts): TargetStep {
  const { targetLots, positionLots, buyLots, sellLots } = facts;
  const missing = lotsMissing(targetLots, positionLots, buyLots, sellLots);
  if (missing > 0) return orderStep('buy', missing, -positionLots - buyLots, facts);
  if (missing < 0) return orderStep('sell', -missing, positionLots - sellLots, facts);
  return restStep(buyLots, sellLots);
}

/** `reducible`: lots that bring the position nearer to zero. */
function orderStep(side: Side, lots: number, reducible: number, facts: TargetFacts): TargetStep {
  if (lots < facts.minLots) return restStep(facts.buyLots, facts.sellLots);
  const reduces = wholeLots(reducible);
  if (lots <= reduces) return { kind: 'order', side, lots, reduceOnly: true };
  if (!facts.reduceFirst || reduces < facts.minLots) return { kind: 'order', side, lots, reduceOnly: false };
  return { kind: 'order', side, lots: reduces, reduceOnly: true };
}

export function restStep(buyLots: number, sellLots: number): TargetStep {
  return buyLots > 0 || sellLots > 0 ? WAIT : DONE;
}

function wholeLots(lots: number): number {
  return Math.floor(lots + EPSILON);
}
