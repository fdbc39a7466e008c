/**
 * What the journal does not hold: marks, equity, balances, streams with their ages. Taken in the session's thread, a few
 * times a second and only while somebody looks; plain data that crosses to the server's thread.
 */
import type { Level } from '../../model/market/views.ts';
import { accountStreamOf } from '../../session/connection/account-stream.ts';
import { unhealthyBecause } from '../../session/view/health.ts';
import type { RunningSession } from '../../session/store/running-session.ts';
import { strategyPnl } from '../../session/recorder/strategy-pnl.ts';
import type { Series } from '../../statistics/series.ts';
import type { BalanceRow } from '../schemas/orders.ts';
import type { Book, EquityPoint } from '../schemas/market.ts';
import type { StreamRow } from '../schemas/session.ts';

export interface LiveStrategy {
  readonly tag: string;
  readonly status: string;
  readonly fills: number;
  readonly fees: number;
  /** Reporting currency; null without prices. */
  readonly netPnl: number | null;
  readonly counters: Readonly<Record<string, number>>;
  readonly denials: readonly { readonly reason: string; readonly count: number; readonly last: string }[];
  readonly error: string | null;
}

export interface Top {
  readonly symbol: string;
  readonly bid: string;
  readonly ask: string;
  readonly mid: number;
}

export interface LivePart {
  /** Session clock, Unix ms. */
  readonly at: number;
  readonly endsAt: number | null;
  readonly equity: number | null;
  readonly netPnl: number | null;
  readonly heldDrift: number | null;
  readonly symbols: readonly string[];
  /** Mid of spot, mark price of a perpetual. */
  readonly marks: Readonly<Record<string, number>>;
  readonly tops: readonly Top[];
  readonly strategies: readonly LiveStrategy[];
  readonly balances: readonly BalanceRow[];
  readonly streams: readonly StreamRow[];
  readonly unhealthy: string | null;
}

export function topsOf({ stream, symbols }: RunningSession): readonly Top[] {
  return symbols.flatMap((symbol) => {
    const best = stream.market.best(symbol);
    if (best === undefined || best.bidLots === 0 || best.askLots === 0) return [];
    const instrument = stream.market.instrument(symbol);
    const mid = (instrument.priceOf(best.bidTicks) + instrument.priceOf(best.askTicks)) / 2;
    return [{ symbol, bid: instrument.priceText(best.bidTicks), ask: instrument.priceText(best.askTicks), mid }];
  });
}

export function livePartOf(session: RunningSession, endsAt: number | null): LivePart {
  const { recorder, symbols, clock, engine, options } = session;
  const { equity } = recorder;
  const isValued = equity.begun && equity.capital > 0;
  const figures = isValued ? recorder.figures : null;
  const marks = symbols.flatMap((symbol) => {
    const price = recorder.price(symbol);
    return price === undefined ? [] : [[symbol, price] as const];
  });
  const [first] = options.strategies;
  const balances = first === undefined ? [] : engine.executor.account(first.tag).balances();
  return {
    at: clock.now(),
    endsAt,
    equity: isValued ? equity.equity : null,
    netPnl: figures?.netPnl.toNumber() ?? null,
    heldDrift: figures?.heldDrift.toNumber() ?? null,
    symbols,
    marks: Object.fromEntries(marks),
    tops: topsOf(session),
    strategies: options.strategies.map(({ tag }) => strategyOf(session, tag)),
    balances: balances.map(({ account, currency, available, locked, total }) => {
      return { account, currency, available, locked, total };
    }),
    streams: streamsOf(session),
    unhealthy: unhealthyBecause(session),
  };
}

function strategyOf({ engine, recorder, earlier }: RunningSession, tag: string): LiveStrategy {
  const own = engine.executor.counters(tag);
  const { fills, fees } = recorder.tally(tag);
  const denials = recorder.denials(tag).map(({ reason, count, last }) => ({ reason, count, last }));
  const counted = earlier?.counters(own, tag) ?? own;
  const denied = denials.reduce((sum, { count }) => sum + count, 0);
  return {
    tag,
    status: engine.status(tag),
    fills,
    fees,
    netPnl: strategyPnl(engine.executor.state.positions.all(), tag, recorder.prices),
    // An order that ended `denied` without a denial was withdrawn, or its process ended first.
    counters: { ...counted, denied, unsent: Math.max(0, counted.denied - denied) },
    denials,
    error: engine.failures.get(tag)?.message ?? null,
  };
}

function streamsOf(session: RunningSession): readonly StreamRow[] {
  const channels = session.stream.status().map(({ channel, symbol, ageMs, staleAfterMs, gaps }): StreamRow => {
    const isKnown = Number.isFinite(ageMs);
    const state = !isKnown ? 'waiting' : ageMs > staleAfterMs ? 'stale' : 'fresh';
    return { name: channel, symbol, state, ageMs: isKnown ? ageMs : null, staleAfterMs, gaps };
  });
  return [...channels, { name: 'account', symbol: null, ...accountStreamOf(session) }];
}

/** Null for a symbol that the session does not trade. */
export function bookOf({ stream, clock, symbols }: RunningSession, symbol: string, depth: number): Book | null {
  if (!symbols.includes(symbol)) return null;
  const instrument = stream.market.instrument(symbol);
  const view = stream.market.view(symbol);
  const texts = (levels: readonly Level[]): [string, string][] =>
    levels.map(({ price, quantity }) => [
      instrument.priceText(instrument.ticksOf(price)),
      instrument.quantityText(instrument.lotsOf(quantity)),
    ]);
  const [bids, asks] = [texts(view.bids(depth)), texts(view.asks(depth))];
  return { symbol, ts: clock.now(), synced: stream.market.best(symbol) !== undefined, bids, asks };
}

const POINTS_MAX = 2_000;

/** Thinned to what a chart shows. */
export function curveOf({ recorder }: RunningSession): readonly EquityPoint[] {
  const { equity } = recorder;
  if (!equity.begun || !(equity.capital > 0)) return [];
  const { ts, value, length }: Series = equity.series();
  const step = Math.max(1, Math.ceil(length / POINTS_MAX));
  const points: EquityPoint[] = [];
  for (let i = (length - 1) % step; i < length; i += step) {
    points.push({ ts: ts[i]!, equity: value[i]!, netPnl: value[i]! - equity.capital, heldDrift: null });
  }
  return points;
}
