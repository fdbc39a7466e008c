/** Makes the context of one strategy. Its streams run in its scope and end with it; engine calls leave the scope. */
import { Observable, map } from 'rxjs';
import type { StrategyAccount } from '../../model/trading/account.ts';
import { noSignals, type SignalSource } from '../../model/inbound-signal.ts';
import type { PositionSide } from '../../model/trading/order.ts';
import type { Cancel, Clock, Logger, Random, StateStore } from '../../model/ports.ts';
import { noP2p, type StrategyTreasury } from '../../model/funds/strategy-treasury.ts';
import { alignDown, parseDuration } from '../../model/time.ts';
import type { Candle, MarketView } from '../../model/market/views.ts';
import { strategyChart } from './chart.ts';
import type { Plot, StrategyAccountContext, StrategyClock, StrategyMarket, StrategyP2pContext } from './context.ts';
import { describe } from '../action-shape.ts';
import type { CandleFrame, HistoryNeed, RunContext } from '../definition.ts';
import { strategyErrors } from '../errors.ts';
import { closedBefore, lastOf, requireDeclared, type WarmupCandles } from './history.ts';
import { indicators } from '../indicators/indicators.ts';
import type { MarketStreams, Sampling } from '../../streams/market-data.ts';
import { signalsOf } from '../../streams/signals.ts';
import { joinedBars } from '../../streams/feeds/joined-bars.ts';
import { accountStreams } from '../../streams/account-streams.ts';
import { treasuryStreams, type TreasuryStreams } from '../../streams/treasury-streams.ts';
import { freeBalance, openPositions } from './account-values.ts';
import { checkBars, checkOptions, checkPositionSide } from './arguments.ts';
import { outside, scoped, type StrategyScope } from '../running/scope.ts';
import { stateFactory } from './state.ts';

export interface ContextPorts {
  readonly market: MarketStreams;
  readonly account: StrategyAccount;
  /** Absent: trading-account balances alone, no P2P. */
  readonly treasury?: StrategyTreasury;
  readonly clock: Clock;
  readonly random: Random;
  readonly state: StateStore;
  /** Absent: none come. */
  readonly signals?: SignalSource;
  readonly log: Logger;
  /** Receives plotted values. */
  readonly plot?: Plot;
  /** From before the start, by symbol. */
  readonly warmupCandles: WarmupCandles;
  /** What the definition declares of it. */
  readonly history?: readonly HistoryNeed[];
}

/** A read may deliver events, which is the engine's work. */
function outsideView(view: MarketView): MarketView {
  const { symbol } = view;
  return Object.freeze({
    symbol,
    get ts(): number {
      return outside(() => view.ts);
    },
    get bid(): number {
      return outside(() => view.bid);
    },
    get ask(): number {
      return outside(() => view.ask);
    },
    get mid(): number {
      return outside(() => view.mid);
    },
    get last(): number {
      return outside(() => view.last);
    },
    get mark(): number {
      return outside(() => view.mark);
    },
    bids: (count: number) => outside(() => view.bids(count)),
    asks: (count: number) => outside(() => view.asks(count)),
  });
}

const SAMPLING = ['every'] satisfies readonly (keyof Sampling)[];
const FORMING = ['forming'];

function scopedMarket(scope: StrategyScope, market: MarketStreams, history: StrategyMarket['history']): StrategyMarket {
  return Object.freeze({
    history,
    bars: <Name extends string>(symbols: Readonly<Record<Name, string>>, interval: string) => {
      checkBars(symbols);
      const all = Object.entries<string>(symbols).map(([name, symbol]) => [name, market.candles(symbol, interval)]);
      const joined = joinedBars(Object.fromEntries(all) as Record<Name, Observable<Candle>>);
      return scoped(scope, `bars ${Object.values<string>(symbols).join(' ')} ${interval}`, joined);
    },
    instrument: (symbol: string) => market.instrument(symbol),
    view: (symbol: string) => outsideView(market.view(symbol)),
    top: (symbol: string, options?: Sampling) => {
      checkOptions('market.top', options, SAMPLING);
      return scoped(scope, `top ${symbol}`, market.top(symbol, options));
    },
    book: (symbol: string, options?: Sampling) => {
      checkOptions('market.book', options, SAMPLING);
      return scoped(scope, `book ${symbol}`, market.book(symbol, options));
    },
    trades: (symbol: string) => scoped(scope, `trade ${symbol}`, market.trades(symbol)),
    candles: (symbol: string, interval: string, options?: { readonly forming?: boolean }) => {
      checkOptions('market.candles', options, FORMING);
      return scoped(scope, `candle ${symbol} ${interval}`, market.candles(symbol, interval, options));
    },
    ticker: (symbol: string) => scoped(scope, `ticker ${symbol}`, market.ticker(symbol)),
    funding: (symbol: string) => scoped(scope, `funding ${symbol}`, market.funding(symbol)),
    mark: (symbol: string) => scoped(scope, `mark ${symbol}`, market.mark(symbol)),
    gaps: (symbol: string) => scoped(scope, `gap ${symbol}`, market.gaps(symbol)),
  });
}

function scopedAccount(
  scope: StrategyScope,
  account: StrategyAccount,
  money: TreasuryStreams,
  market: StrategyMarket,
): StrategyAccountContext {
  const opened = openPositions(market);
  const streams = accountStreams(account);
  const positions = streams.positions().pipe(map(opened));
  const balances = streams.balances().pipe(map(freeBalance));
  const accounts = money.accounts().pipe(map(freeBalance));
  return Object.freeze({
    orders: () => scoped(scope, 'order update', streams.orders()),
    fills: () => scoped(scope, 'fill', streams.fills()),
    fillsSince: (cursor?: string) => scoped(scope, 'fill', streams.fillsSince(cursor)),
    positions: () => scoped(scope, 'position', positions),
    balances: () => scoped(scope, 'balance', balances),
    accounts: () => scoped(scope, 'account balance', accounts),
    program: (ref: string) => scoped(scope, `program ${ref}`, streams.program(ref)),
    programs: () => scoped(scope, 'program', streams.programs()),
    order: (ref: string) => scoped(scope, `order ${ref}`, streams.order(ref)),
    // Of a name that is none, flat and nothing would be wrong answers.
    openOrders: (symbol?: string) => {
      if (symbol !== undefined) market.instrument(symbol);
      return outside(() => account.openOrders(symbol));
    },
    position: (symbol: string, positionSide?: PositionSide) => {
      market.instrument(symbol);
      checkPositionSide('account.position', positionSide);
      return opened(outside(() => account.position(symbol, positionSide)));
    },
    balance: (currency: string) => freeBalance(outside(() => account.balance(currency))),
  });
}

function scopedP2p(scope: StrategyScope, treasury: StrategyTreasury, money: TreasuryStreams): StrategyP2pContext {
  return Object.freeze({
    advertisements: () => scoped(scope, 'advertisement', money.advertisements()),
    trades: () => scoped(scope, 'P2P trade', money.trades()),
    market: (marketId: string) => scoped(scope, `P2P pair ${marketId}`, money.market(marketId)),
    advertisement: (ref: string) => outside(() => treasury.advertisementOf(ref)),
    userId: () => outside(() => treasury.p2pUserId()),
  });
}

function tradingAlone(account: StrategyAccount): StrategyTreasury {
  return {
    accounts: () => account.balances(),
    ...noP2p,
    listen: (listener) =>
      account.listen((event) => {
        if (event.kind === 'balance') listener({ kind: 'account', balance: event.balance });
      }),
  };
}

/** No boundary comes twice, passed ones are skipped. */
function boundaries(clock: Clock, intervalMs: number): Observable<number> {
  return new Observable<number>((subscriber) => {
    let next = alignDown(clock.now(), intervalMs) + intervalMs;
    let cancel: Cancel = () => {};
    const arm = (): void => {
      cancel = clock.after(next - clock.now(), () => {
        const due = next;
        next = Math.max(due, alignDown(clock.now(), intervalMs)) + intervalMs;
        arm();
        subscriber.next(due);
      });
    };
    arm();
    return () => cancel();
  });
}

/** A number is meant in milliseconds. */
function inUnits(interval: unknown): string {
  return typeof interval === 'number' && interval > 0 ? `; write '${interval}ms'` : '';
}

function scopedClock(scope: StrategyScope, clock: Clock): StrategyClock {
  return Object.freeze({
    now: () => clock.now(),
    every: (interval: string) => {
      const intervalMs = parseDuration(interval);
      if (!(intervalMs > 0)) {
        throw strategyErrors.make(
          'strategy_definition',
          `clock.every: ${describe(interval)} is not a duration such as '30s' or '1m'${inUnits(interval)}`,
          { interval },
        );
      }
      return scoped(scope, `timer every ${interval}`, boundaries(clock, intervalMs));
    },
  });
}

function scopedLog(log: Logger): Logger {
  return Object.freeze({
    debug: (fields: object, message?: string) => outside(() => log.debug(fields, message)),
    info: (fields: object, message?: string) => outside(() => log.info(fields, message)),
    warn: (fields: object, message?: string) => outside(() => log.warn(fields, message)),
    error: (fields: object, message?: string) => outside(() => log.error(fields, message)),
    child: (bindings: object) => scopedLog(log.child(bindings)),
  });
}

export function buildContext<Params>(
  scope: StrategyScope,
  params: Params,
  ports: ContextPorts,
  setupDone: () => boolean,
): RunContext<Params> {
  const before = (symbol: string): readonly Candle[] => ports.warmupCandles.get(symbol) ?? [];
  function* warmup(symbol: string, frames: readonly CandleFrame[]): Iterable<Candle> {
    for (const candle of closedBefore(before(symbol), frames)) {
      scope.eventName = `warm-up candle ${symbol}`;
      scope.eventValue = candle;
      yield candle;
    }
  }
  const history = (symbol: string, interval: string, count: number): readonly Candle[] => {
    const intervalMs = parseDuration(interval);
    outside(() => ports.market.instrument(symbol));
    requireDeclared(ports.history ?? [], { symbol, interval, intervalMs, count });
    return Object.freeze(lastOf(before(symbol), intervalMs, count));
  };
  const treasury = ports.treasury ?? tradingAlone(ports.account);
  const money = treasuryStreams(treasury, (symbol) => ports.market.top(symbol));
  const charts = { setupDone, plot: ports.plot };
  const market = scopedMarket(scope, ports.market, history);
  return Object.freeze({
    params,
    market,
    account: scopedAccount(scope, ports.account, money, market),
    p2p: scopedP2p(scope, treasury, money),
    clock: scopedClock(scope, ports.clock),
    random: () => ports.random.next(),
    state: stateFactory(ports.state, scope.tag, setupDone),
    signals: (name: string) => scoped(scope, `signal ${name}`, signalsOf(ports.signals ?? noSignals, name)),
    indicators,
    chart: strategyChart(charts),
    chartOf: (symbol: string) => strategyChart(charts, symbol),
    log: scopedLog(ports.log),
    warmupCandles: warmup,
    begunCandle: (symbol: string, intervalMs: number) =>
      before(symbol).find((candle) => !candle.closed && candle.intervalMs === intervalMs),
  });
}
