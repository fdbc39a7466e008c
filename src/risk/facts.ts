/** What the risk checks judge. Numbers are estimates in lots or reporting currency; an unset limit is Infinity. */
import type { Instrument } from '../model/instrument.ts';
import type { OrderOrigin } from '../model/journal.ts';
import type { PositionSide, Side } from '../model/order.ts';

export interface Candidate {
  readonly strategy: string;
  readonly instrument: Instrument;
  readonly side: Side;
  readonly isMarket: boolean;
  /** 0 for market orders. */
  readonly ticks: number;
  readonly lots: number;
  readonly positionSide: PositionSide;
  readonly reduceOnly: boolean;
  /** It also reduces the account (`exits.ts`). */
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

/** Of one strategy or the account, on the candidate's symbol and position side. */
export interface Exposure {
  /** Signed lots. */
  lots: number;
  /** Lots of buys that are working, in flight, unknown or not booked. */
  buyLots: number;
  sellLots: number;
}

export interface RiskFacts {
  now: number;
  /** The limit price, or the reference price of a market order. */
  referenceTicks: number;
  /** With a fraction; NaN without a market. */
  midTicks: number;
  /** Reporting value of one tick × one lot; NaN when unknown. */
  unitValue: number;
  /** NaN while unknown. */
  equity: number;
  strategy: Exposure;
  account: Exposure;
  /** Lots that other strategies hold against the position that this order reduces. */
  againstLots: number;
  /** Over all symbols. */
  strategyOpenOrders: number;
  accountOpenOrders: number;
  /** Of the candidate's symbol, on both position sides. */
  symbolOpenOrders: number;
  /** Worst case, positions and orders on all symbols. */
  strategyValue: number;
}

export function emptyFacts(): RiskFacts {
  return {
    now: 0,
    referenceTicks: 0,
    midTicks: Number.NaN,
    unitValue: Number.NaN,
    equity: Number.NaN,
    strategy: { lots: 0, buyLots: 0, sellLots: 0 },
    account: { lots: 0, buyLots: 0, sellLots: 0 },
    againstLots: 0,
    strategyOpenOrders: 0,
    accountOpenOrders: 0,
    symbolOpenOrders: 0,
    strategyValue: 0,
  };
}

/** Worst position in the direction of the order, lots. */
export function worstLots(exposure: Exposure, side: Side, lots: number): number {
  return side === 'buy' ? exposure.lots + exposure.buyLots + lots : -(exposure.lots - exposure.sellLots - lots);
}

export function valueOf(order: Candidate, { referenceTicks, unitValue }: RiskFacts): number {
  return referenceTicks * order.lots * unitValue;
}
