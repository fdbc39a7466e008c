/** The context: everything a strategy may use, the same in every mode. */
import type { Observable } from 'rxjs';
import type { z } from 'zod';

import type { Fill, FillSince } from '../../model/trading/fill.ts';
import type { InboundSignal } from '../../model/inbound-signal.ts';
import type { OrderUpdate, PositionSide } from '../../model/trading/order.ts';
import type { Advertisement, P2pMarketView, P2pTrade } from '../../model/funds/p2p.ts';
import type { Logger } from '../../model/ports.ts';
import type { ProgramUpdate } from '../../model/trading/program.ts';
import type { FreeBalance, OpenPosition } from './account-values.ts';
import type { Indicators } from '../indicators/indicators.ts';
import type { Candle } from '../../model/market/views.ts';
import type { Bars } from '../../streams/feeds/joined-bars.ts';
import type { MarketStreams } from '../../streams/market-data.ts';

export type { Bars } from '../../streams/feeds/joined-bars.ts';
export type { MarketStreams } from '../../streams/market-data.ts';

export interface StrategyClock {
  /** Session time, Unix ms: exchange time in a backtest, corrected local time elsewhere. */
  now(): number;
  /** Emits each passed boundary (Unix ms): `'1m'` at every full minute. */
  every(interval: string): Observable<number>;
}

/** The market as a strategy sees it. */
export interface StrategyMarket extends MarketStreams {
  /**
   * The last `count` closed candles from before the start, oldest first, the same list at each call; fewer where there
   * are fewer. `warmup` of the definition must declare them. Throws `strategy_history_undeclared`, `unknown_symbol`.
   */
  history(symbol: string, interval: string, count: number): readonly Candle[];
  /**
   * Closed candles of several symbols, joined: one emission when all have closed the same bar, under the names given.
   * A bar that one of them lacks is left out. Throws `bad_interval`, `unknown_symbol`.
   */
  bars<Name extends string>(symbols: Readonly<Record<Name, string>>, interval: string): Observable<Bars<Name>>;
}

/** This strategy's own share of the account. */
export interface StrategyAccountContext {
  /** Own order updates, each exactly once, in order. Not replayed on subscribe. */
  orders(): Observable<OrderUpdate>;
  fills(): Observable<Fill>;
  /**
   * Own fills after the one of this cursor, then each new one: those of earlier processes and of the comparison at the
   * start are among them, each exactly once. Without a cursor: all of the session. Keep `cursor` of the last in `state`.
   * Throws `fills_cursor_unknown`.
   */
  fillsSince(cursor?: string): Observable<FillSince>;
  /** Current positions on subscribe, then every change. */
  positions(): Observable<OpenPosition>;
  /** Balances of the trading account. */
  balances(): Observable<FreeBalance>;
  /** Balances of every account (`account` names it): current on subscribe, then every change. */
  accounts(): Observable<FreeBalance>;
  /** Working order programs on subscribe, then every change. */
  programs(): Observable<ProgramUpdate>;
  /** One program from its current state on; completes when it has ended. */
  program(ref: string): Observable<ProgramUpdate>;
  /** One order from its current state on; completes when it closes. */
  order(ref: string): Observable<OrderUpdate>;
  /** Throws `unknown_symbol`. */
  openOrders(symbol?: string): readonly OrderUpdate[];
  /** In hedge mode name the side; default: the first held. Throws `unknown_symbol`, `strategy_argument_invalid`. */
  position(symbol: string, positionSide?: PositionSide): OpenPosition;
  /** Zeros of a currency that the account does not have. */
  balance(currency: string): FreeBalance;
}

/** The user's P2P advertisements and trades. Never emits without P2P. */
export interface StrategyP2pContext {
  /** Current ones on subscribe, then every change. */
  advertisements(): Observable<Advertisement>;
  trades(): Observable<P2pTrade>;
  /** The pair with price bounds: on subscribe, and when pair or bounds change. */
  market(marketId: string): Observable<P2pMarketView>;
  /** The current or last advertisement of a ref of this strategy. */
  advertisement(ref: string): Advertisement | undefined;
  /** P2P user id of the account; undefined while unknown. */
  userId(): string | undefined;
}

/** `symbol`: whose prices it is drawn over; undefined: all. No object, as it is called for each candle. */
export type Plot = (name: string, value: number, pane: string, symbol: string | undefined) => void;

/** Series for the report: at most 20 names, thinned by pixel. */
export interface StrategyChart {
  /**
   * A value at session time. `pane: 'price'` (default) draws over prices, others below. Non-finite values are dropped.
   */
  plot(name: string, value: number, options?: { readonly pane?: string }): void;
}

/** A persisted value: survives restarts, journalled at each `set`. */
export interface StateValue<T> {
  get(): T;
  set(value: T): void;
}

/** Makes a persisted value, identified by `name` or call order in `setup`; after `setup` by name only. */
export type StateFactory = <Schema extends z.ZodType>(
  schema: Schema,
  initial: z.output<Schema>,
  name?: string,
) => StateValue<z.output<Schema>>;

export interface StrategyContext<Params> {
  readonly params: Params;
  readonly market: StrategyMarket;
  readonly account: StrategyAccountContext;
  readonly p2p: StrategyP2pContext;
  readonly clock: StrategyClock;
  /** Seeded, uniform in [0, 1). */
  readonly random: () => number;
  readonly state: StateFactory;
  /** Signals of this name from outside, each id once; none before the start. Recorded, so that `replay` has them too. */
  readonly signals: (name: string) => Observable<InboundSignal>;
  readonly indicators: Indicators;
  readonly chart: StrategyChart;
  readonly log: Logger;
}

/** `symbol` is the current one: `setup` runs once per symbol. */
export interface CandleSetupContext<Params> extends StrategyContext<Params> {
  readonly symbol: string;
}

export interface CandleContext<Params, Vars> extends CandleSetupContext<Params> {
  readonly vars: Vars;
  /** Of the candle that is delivered, as in `interval` or `intervals`. */
  readonly interval: string;
  /** The newest closed candle of another interval of this symbol; undefined before the first. */
  readonly candle: (interval: string) => Candle | undefined;
}
