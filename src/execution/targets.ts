/**
 * The next step towards a target position. Pure. Everything that works, is in flight or unknown counts as filled in
 * the worse direction: more is bought only when even all working buys together stay below the target, and sold only
 * when all working sells together stay above it; so a target said twice is not bought twice.
 *
 *   position − sells ──────── position ──────── position + buys        where it may end up
 *        sell while this > target          buy while this < target
 */
import type { Side } from '../model/order.ts';

export interface TargetFacts {
  /** Signed lots. */
  readonly targetLots: number;
  /** Signed lots, with a fraction when a fee in base took part of one. */
  readonly positionLots: number;
  readonly buyLots: number;
  readonly sellLots: number;
  /** One-way derivatives: through zero in two steps, reducing first. */
  readonly reduceFirst: boolean;
}

export type TargetStep =
  | { readonly kind: 'done' }
  /** Something on its way must end first. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'order'; readonly side: Side; readonly lots: number; readonly reduceOnly: boolean };

/** Lots as computed from exact quantities may be off in the last bits. */
const EPSILON = 1e-9;

/** `minLots`: fewest lots of an order now; asked for where there is one to be made. */
export function planTarget(facts: TargetFacts, minLots: () => number): TargetStep {
  const buys = wholeLots(facts.targetLots - (facts.positionLots + facts.buyLots));
  if (buys > 0) return orderStep('buy', buys, -facts.positionLots - facts.buyLots, facts, minLots());
  const sells = wholeLots(facts.positionLots - facts.sellLots - facts.targetLots);
  if (sells > 0) return orderStep('sell', sells, facts.positionLots - facts.sellLots, facts, minLots());
  return restStep(facts);
}

/** `reducible`: lots of that side that only bring the position nearer to zero. */
function orderStep(side: Side, lots: number, reducible: number, facts: TargetFacts, minLots: number): TargetStep {
  if (lots < minLots) return restStep(facts);
  const reduces = wholeLots(reducible);
  if (lots <= reduces) return { kind: 'order', side, lots, reduceOnly: true };
  if (!facts.reduceFirst || reduces < minLots) return { kind: 'order', side, lots, reduceOnly: false };
  return { kind: 'order', side, lots: reduces, reduceOnly: true };
}

function restStep(facts: TargetFacts): TargetStep {
  return facts.buyLots > 0 || facts.sellLots > 0 ? { kind: 'wait' } : { kind: 'done' };
}

function wholeLots(lots: number): number {
  return Math.floor(lots + EPSILON);
}
