/** Checked terms of an order that is to be judged. */
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
  /** One lot less than asked for. */
  readonly shrunk?: true;
  /** Ref of the first order of a split exit, in the others. */
  readonly partOf?: string;
  /** Unix ms of the strategy's decision, where it was earlier. */
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

/** As journalled, signed and sent. */
export function textsOf(spec: OrderSpec): { readonly price: string | null; readonly quantity: string } {
  return {
    price: spec.isMarket ? null : spec.instrument.priceText(spec.ticks),
    quantity: spec.instrument.quantityText(spec.lots),
  };
}
