/**
 * What the risk checks judge: an order that is about to be sent, and the state of account, symbol and strategy around
 * it. Limits are numbers in lots or reporting currency; a limit that is not set is Infinity. Numbers are estimates
 * that only ever decide between sending and not sending; money is booked elsewhere, exactly.
 */
import type { Instrument } from '../model/instrument.ts';
import type { OrderOrigin } from '../model/journal.ts';
import type { PositionSide, Side } from '../model/order.ts';

export interface Candidate {
  readonly strategy: string;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly isMarket: boolean;
  /** Limit price; 0 for market orders. */
  readonly ticks: number;
  readonly lots: number;
  readonly positionSide: PositionSide;
  readonly reduceOnly: boolean;
  /** It reduces the account as well, so it is no new risk (`exits.ts`). */
  readonly exits: boolean;
  readonly origin: OrderOrigin;
}

export interface Limits {
  readonly maxOrderLots: number;
  readonly maxOrderValue: number;
  readonly maxPositionLots: number;
  readonly maxPositionValue: number;
  readonly maxOpenOrders: number;
}

/** Position and what may still fill, of one strategy or of the account, on the candidate's symbol and position side. */
export interface Exposure {
  /** Signed lots. */
  lots: number;
  /** Lots of buys that are working, in flight, unknown or not booked yet. */
  buyLots: number;
  sellLots: number;
  /** Orders that work or may work. */
  openOrders: number;
}

export interface RiskFacts {
  now: number;
  /** Reference price in ticks of a market order, or the limit itself. */
  referenceTicks: number;
  /** Mid in ticks, with a fraction; NaN when there is no market. */
  midTicks: number;
  /** Reporting value of one tick × one lot; NaN when it cannot be valued. */
  unitValue: number;
  /** Equity of the account; NaN while unknown. */
  equity: number;
  strategy: Exposure;
  account: Exposure;
  /** What other strategies hold against the position that an order of this side reduces, lots. */
  againstLots: number;
  /** Open orders over all symbols. */
  strategyOpenOrders: number;
  accountOpenOrders: number;
  /** Worst-case value of the strategy's positions and orders on all symbols. */
  strategyValue: number;
}

/** To be filled for each order. */
export function emptyFacts(): RiskFacts {
  return {
    now: 0,
    referenceTicks: 0,
    midTicks: Number.NaN,
    unitValue: Number.NaN,
    equity: Number.NaN,
    strategy: { lots: 0, buyLots: 0, sellLots: 0, openOrders: 0 },
    account: { lots: 0, buyLots: 0, sellLots: 0, openOrders: 0 },
    againstLots: 0,
    strategyOpenOrders: 0,
    accountOpenOrders: 0,
    strategyValue: 0,
  };
}

/** Worst position in the direction of the order, lots, counted from zero: what it would be if everything filled. */
export function worstLots(exposure: Exposure, side: Side, lots: number): number {
  return side === 'buy' ? exposure.lots + exposure.buyLots + lots : -(exposure.lots - exposure.sellLots - lots);
}

/** Value of the order at its reference price. */
export function valueOf(order: Candidate, { referenceTicks, unitValue }: RiskFacts): number {
  return referenceTicks * order.lots * unitValue;
}
