/**
 * What the statistics are computed from: plain data that a session collects while it runs. Times are Unix ms (fractions
 * allowed), series are numbers, money of fills and funding is decimal text. `session/` fills it in once, at the end.
 */
import type { Market } from '../model/instrument.ts';
import type { Liquidity, PositionSide, Side } from '../model/order.ts';
import type { Series } from './series.ts';

export interface StatisticsInput {
  /** Period of the run, Unix ms. `from` is the time of the first equity point. */
  readonly from: number;
  readonly to: number;
  /** Length of a return period, ms; one UTC day when omitted. */
  readonly sampleMs?: number;
  /** Per year, as a fraction; 0 when omitted. */
  readonly riskFreeRate?: number;
  /** Minimum acceptable return per year, as a fraction; 0 when omitted. */
  readonly minimumReturn?: number;
  /**
   * Capital and what own trading made of it, reporting currency, net of fees and funding, in time order: first [from, E_0],
   * then each fill, funding and liquidation, and the last, lowest and highest of each second.
   */
  readonly equity: Series;
  /** In order of exchange time. */
  readonly fills: readonly FillRecord[];
  /** Null where something was traded that has no price in the reporting currency: then no figure of equity is said. */
  readonly account: AccountNumbers | null;
  /** Funding received (+) and paid (−). */
  readonly funding?: readonly CashEvent[];
  readonly orders: { readonly submitted: number; readonly accepted: number };
  /** Every symbol that has fills. */
  readonly symbols: Readonly<Record<string, SymbolRecord>>;
  /** Mid path per symbol, for excursions, leverage and markouts: as the equity has its points, plus one at each fill. */
  readonly mids: Readonly<Record<string, Series>>;
}

/** Reporting currency. */
export interface AccountNumbers {
  /** What own trading made: E_T − E_0, exact. */
  readonly netPnl: number;
  /** Worth of what the account held at the start and was given since, at the end less when it came. */
  readonly heldDrift: number;
  /** Trades by a human, liquidations that are not ours. */
  readonly external: number;
  /** The account's end − start − flows: the sum of the three. */
  readonly accountPnl: number;
}

export interface SymbolRecord {
  readonly base: string;
  readonly quote: string;
  readonly market: Market;
  /** A position smaller than this is dust and counts as none. Decimal text. */
  readonly lotSize: string;
  /** Base units per unit of quantity; 1 when omitted. Decimal text. */
  readonly contractSize?: string;
  /** Reporting currency per unit of quote currency; 1 when omitted. Decimal text. */
  readonly quoteRate?: string;
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
  /** The fee in the reporting currency; needed only when `feeCurrency` is neither base nor quote of the symbol. */
  readonly feeValue?: string;
  readonly liquidity: Liquidity;
  readonly positionSide?: PositionSide;
  /** Unique within its strategy. */
  readonly orderRef: string;
  /** That of its order: by default the strategy's, or one that the action bears. */
  readonly tag: string;
  /** Whose it is, by the strategy's tag; absent in results of before, which are taken as of one strategy. */
  readonly strategy?: string;
  /** Mid at the fill, after it was applied by the market; null when the book had none. */
  readonly mid: number | null;
  /** When its order was sent, session clock; absent for an order of the exchange's own, which liquidates. */
  readonly orderTs?: number;
  /** Mid when the strategy decided on its order: what slippage is measured against. */
  readonly arrivalMid?: number | null;
  /** Mid 1 s, 5 s and 30 s after the fill, null where unknown; taken from the mid path when omitted. */
  readonly midAfter?: MidAfter;
  /** Maker fills: quantity of others that stood ahead when the order joined its level, base units. */
  readonly queueAhead?: number;
}

export type MidAfter = readonly [after1s: number | null, after5s: number | null, after30s: number | null];

export interface CashEvent {
  readonly ts: number;
  /** Reporting currency, decimal text, signed. */
  readonly amount: string;
}
