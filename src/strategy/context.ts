/**
 * The context: everything a strategy may touch, the same in every mode (strategy API, "Context"). Types only;
 * `build-context.ts` makes one for `run.ts`.
 */
import type { Observable } from 'rxjs';
import type { z } from 'zod';

import type { Balance, StrategyPosition } from '../model/account.ts';
import type { Fill } from '../model/fill.ts';
import type { OrderUpdate, PositionSide } from '../model/order.ts';
import type { Advertisement, P2pMarketView, P2pTrade } from '../model/p2p.ts';
import type { Logger } from '../model/ports.ts';
import type { Indicators } from './indicators/indicators.ts';
import type { MarketStreams } from '../streams/market-data.ts';

export type { MarketStreams } from '../streams/market-data.ts';

export interface StrategyClock {
  /** Unix ms of the session: exchange time in a backtest, the corrected local time elsewhere. */
  now(): number;
  /** Emits the boundary (Unix ms) each time one passes: `'1m'` at every full minute. */
  every(interval: string): Observable<number>;
}

/** This strategy's own share of the account. */
export interface StrategyAccountContext {
  /** Own updates, each exactly once, in order. Not replayed on subscribe. */
  orders(): Observable<OrderUpdate>;
  fills(): Observable<Fill>;
  /** Current states on subscribe, then every change. */
  positions(): Observable<StrategyPosition>;
  /** Of the trading account. */
  balances(): Observable<Balance>;
  /** Of every account (`account` says which): current states on subscribe, then every change. */
  accounts(): Observable<Balance>;
  /** One order from its current state on; completes when it is closed. */
  order(ref: string): Observable<OrderUpdate>;
  openOrders(symbol?: string): readonly OrderUpdate[];
  /** In hedge mode name the side; without it the first that is held. */
  position(symbol: string, positionSide?: PositionSide): StrategyPosition;
  balance(currency: string): Balance;
}

/** P2P of the user: own advertisements and trades, whoever made them. Silent where there is no P2P. */
export interface StrategyP2pContext {
  /** Current states on subscribe, then every change. */
  advertisements(): Observable<Advertisement>;
  trades(): Observable<P2pTrade>;
  /** The pair with its price bounds: on subscribe, when the pair changes, and when the book that bounds it moves them. */
  market(marketId: string): Observable<P2pMarketView>;
  /** What stands under a ref of this strategy, or stood last. */
  advertisement(ref: string): Advertisement | undefined;
  /** The P2P user of the account; undefined while it is not known. */
  userId(): string | undefined;
}

/** One value that a strategy plotted. The object is used again: must not be kept. */
export interface Plotted {
  readonly name: string;
  readonly value: number;
  readonly pane: string;
  /** Undefined: of no symbol in particular. */
  readonly symbol: string | undefined;
}

/** Series for the report, such as indicators and signals: at most 20 names, thinned by pixel. Decides nothing. */
export interface StrategyChart {
  /**
   * Adds a value at the time of the session's clock. `pane: 'price'`, the default, draws it over the prices; any other name
   * is a pane of its own below them. A value that is not finite is left out.
   */
  plot(name: string, value: number, options?: { readonly pane?: string }): void;
}

/** A persisted value: survives restarts, journalled at each `set`. */
export interface StateValue<T> {
  get(): T;
  set(value: T): void;
}

/**
 * Makes a persisted value. Values are told apart by the order of the calls in `setup`, or by `name` when one is given;
 * with a name it may be called later too.
 */
export type StateFactory = <Schema extends z.ZodType>(
  schema: Schema,
  initial: z.output<Schema>,
  name?: string,
) => StateValue<z.output<Schema>>;

export interface StrategyContext<Params> {
  readonly params: Params;
  readonly market: MarketStreams;
  readonly account: StrategyAccountContext;
  readonly p2p: StrategyP2pContext;
  readonly clock: StrategyClock;
  /** Seeded, uniform in [0, 1). */
  readonly random: () => number;
  readonly state: StateFactory;
  readonly indicators: Indicators;
  readonly chart: StrategyChart;
  readonly log: Logger;
}
