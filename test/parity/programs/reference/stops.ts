/** `stop` and `trailingStop`: one child once the trigger is met. */
import type { Child, Desk, Reference, Side } from '../desk.ts';
import { fires, priceOf, type Source, Trail, type TrailTerms } from './trigger.ts';

export interface StopTerms {
  readonly side: Side;
  readonly quantity: number;
  readonly trigger: number;
  /** Beyond the trigger, ticks. */
  readonly limit?: number;
  readonly by?: Source;
}

export interface TrailingStopTerms extends TrailTerms {
  readonly side: Side;
  readonly quantity: number;
  readonly by?: Source;
}

/** True when it fires on what is known now. */
export type Armed = (desk: Desk) => boolean;

export function armedStop({ side, trigger, by }: StopTerms): Armed {
  return (desk) => {
    const price = priceOf(desk, side, by);
    return price !== null && fires(side, price, trigger);
  };
}

export function armedTrail(terms: TrailingStopTerms): Armed {
  const trail = new Trail(terms.side, terms);
  return (desk) => {
    const price = priceOf(desk, terms.side, terms.by);
    return price !== null && trail.see(price);
  };
}

/** Null: at market. */
export function priceOfStop({ side, trigger, limit }: StopTerms): number | null {
  if (limit === undefined) return null;
  return side === 'sell' ? trigger - limit : trigger + limit;
}

export function single(side: Side, quantity: number, price: number | null, armed: Armed): Reference {
  let child: Child | undefined;
  return {
    act: (desk) => {
      if (child === undefined && armed(desk)) child = desk.send({ side, price, quantity });
      if (child !== undefined && child.filled === quantity) desk.end('done');
    },
  };
}
