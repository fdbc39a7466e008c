/** An order that is about to be judged and sent: checked terms in ticks and lots. */
import type { Instrument } from '../model/instrument.ts';
import type { OrderOrigin } from '../model/journal.ts';
import type { PositionSide, Side, TimeInForce } from '../model/order.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import type { Candidate } from '../risk/facts.ts';

export interface OrderSpec {
  readonly slot: StrategySlot;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly isMarket: boolean;
  readonly timeInForce: TimeInForce;
  /** 0 for market orders. */
  readonly ticks: number;
  readonly lots: number;
  readonly positionSide: PositionSide;
  readonly reduceOnly: boolean;
  readonly postOnly: boolean;
  readonly tag: string;
  readonly origin: OrderOrigin;
  /** One lot less than was asked for, which is all that is free. */
  readonly shrunk?: true;
  /** Unix ms at which the strategy decided it, where that was before now: the second step of a target, a leg that waited. */
  readonly decidedAt?: number;
}

/** `exits`: no new risk (`risk/exits.ts`). */
export function candidateOf(spec: OrderSpec, exits: boolean): Candidate {
  return {
    strategy: spec.slot.tag,
    instrument: spec.instrument,
    side: spec.side,
    isMarket: spec.isMarket,
    ticks: spec.ticks,
    lots: spec.lots,
    positionSide: spec.positionSide,
    reduceOnly: spec.reduceOnly,
    exits,
    origin: spec.origin,
  };
}

/** The border: canonical text of price and quantity as they are journalled, signed and sent. */
export function textsOf(spec: OrderSpec): { readonly price: string | null; readonly quantity: string } {
  return {
    price: spec.isMarket ? null : spec.instrument.priceText(spec.ticks),
    quantity: spec.instrument.quantityText(spec.lots),
  };
}
