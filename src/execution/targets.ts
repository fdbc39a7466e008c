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
  /** Fewest lots of an order now. */
  readonly minLots: number;
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

const DONE: TargetStep = Object.freeze({ kind: 'done' });
const WAIT: TargetStep = Object.freeze({ kind: 'wait' });

/** Lots to buy, below 0 to sell; 0 where nothing is to be sent, as for most targets that are said again. */
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

/** `reducible`: lots of that side that only bring the position nearer to zero. */
function orderStep(side: Side, lots: number, reducible: number, facts: TargetFacts): TargetStep {
  if (lots < facts.minLots) return restStep(facts.buyLots, facts.sellLots);
  const reduces = wholeLots(reducible);
  if (lots <= reduces) return { kind: 'order', side, lots, reduceOnly: true };
  if (!facts.reduceFirst || reduces < facts.minLots) return { kind: 'order', side, lots, reduceOnly: false };
  return { kind: 'order', side, lots: reduces, reduceOnly: true };
}

/** When nothing is to be sent. */
export function restStep(buyLots: number, sellLots: number): TargetStep {
  return buyLots > 0 || sellLots > 0 ? WAIT : DONE;
}

function wholeLots(lots: number): number {
  return Math.floor(lots + EPSILON);
}
