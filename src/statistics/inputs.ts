/**
 * Input of the statistics. Times are Unix ms (fractions allowed), series are numbers, money of fills and funding is
 * decimal text.
 */
import type { Market } from '../model/market/instrument.ts';
import type { Liquidity, PositionSide, Side } from '../model/trading/order.ts';
import type { Series } from './series.ts';

export interface StatisticsInput {
  /** `from` is the time of the first equity point. */
  readonly from: number;
  readonly to: number;
  /** Return period, ms; default one UTC day. */
  readonly sampleMs?: number;
  /** Per year, a fraction; default 0. */
  readonly riskFreeRate?: number;
  /** Minimum acceptable return per year, a fraction; default 0. */
  readonly minimumReturn?: number;
  /**
   * Capital plus own trading, reporting currency, net: [from, E_0], each fill, funding and liquidation, and last,
   * lowest and highest of each second, peak and trough of the deepest drawdown.
   */
  readonly equity: Series;
  /** In order of exchange time. */
  readonly fills: readonly FillRecord[];
  /** Null when something traded has no price in the reporting currency. */
  readonly account: AccountNumbers | null;
  /** Received (+) and paid (−). */
  readonly funding?: readonly CashEvent[];
  readonly orders: { readonly submitted: number; readonly accepted: number };
  /** Every symbol that has fills. */
  readonly symbols: Readonly<Record<string, SymbolRecord>>;
  /** Mid path per symbol: points as in `equity`, plus one per fill. */
  readonly mids: Readonly<Record<string, Series>>;
}

/** Reporting currency. */
export interface AccountNumbers {
  /** E_T − E_0 of own trading, exact. */
  readonly netPnl: number;
  /** Value change of starting holdings and deposits. */
  readonly heldDrift: number;
  /** External trades and liquidations. */
  readonly external: number;
  /** The account's end − start − flows: sum of the three. */
  readonly accountPnl: number;
}

export interface SymbolRecord {
  readonly base: string;
  readonly quote: string;
  readonly market: Market;
  /** Smaller positions are dust. Decimal text. */
  readonly lotSize: string;
  /** Base units per unit of quantity; default 1. Decimal text. */
  readonly contractSize?: string;
  /** Reporting currency per quote unit at the end; default 1, null without a price. Decimal text. */
  readonly quoteRate?: string | null;
  /** The symbol whose mid is that rate, or one divided by it. */
  readonly rateBy?: { readonly symbol: string; readonly inverse: boolean };
}

export interface FillRecord {
  /** Exchange time. */
  readonly ts: number;
  readonly symbol: string;
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
  /** Reporting currency per quote unit at the fill; default: that of its symbol. Decimal text. */
  readonly quoteRate?: string;
  /** Fee in the reporting currency; needed when `feeCurrency` is neither base nor quote. */
  readonly feeValue?: string;
  readonly liquidity: Liquidity;
  readonly positionSide?: PositionSide;
  /** Unique within its strategy. */
  readonly orderRef: string;
  /** Tag of the order. */
  readonly tag: string;
  /** Strategy tag; absent in older results, taken as one strategy. */
  readonly strategy?: string;
  /** Mid after the fill; null when the book had none. */
  readonly mid: number | null;
  /** When the order was sent, session clock; absent for liquidations. */
  readonly orderTs?: number;
  /** Mid at the decision, the reference of slippage. */
  readonly arrivalMid?: number | null;
  /** Mid 1 s, 5 s and 30 s later, null where unknown; default: from the mid path. */
  readonly midAfter?: MidAfter;
  /** Maker fills: quantity ahead when the order joined, base units. */
  readonly queueAhead?: number;
}

export type MidAfter = readonly [after1s: number | null, after5s: number | null, after30s: number | null];

export interface CashEvent {
  readonly ts: number;
  /** Reporting currency, signed decimal text. */
  readonly amount: string;
}
