/** The state of a running session, for the live screen. */
import type { Gate } from '../../model/ports.ts';
import { accountStreamOf } from '../connection/account-stream.ts';
import type { RunningSession } from '../store/running-session.ts';
import { strategyPnl } from '../recorder/strategy-pnl.ts';
import type { HeldPosition, SessionSnapshot, StrategyState, StreamState, TopLine } from './snapshot.ts';
import { usedLimits } from './used-limits.ts';

function topsOf({ stream, symbols }: RunningSession): readonly TopLine[] {
  return symbols.flatMap((symbol) => {
    const best = stream.market.best(symbol);
    if (best === undefined || best.bidLots === 0 || best.askLots === 0) return [];
    const instrument = stream.market.instrument(symbol);
    return [{ symbol, bid: instrument.priceText(best.bidTicks), ask: instrument.priceText(best.askTicks) }];
  });
}

function streamsOf(session: RunningSession): readonly StreamState[] {
  const channels = session.stream.status().map(({ channel, ageMs, staleAfterMs, gaps }): StreamState => {
    const known = Number.isFinite(ageMs);
    return {
      name: channel,
      ageMs: known ? ageMs : null,
      state: !known ? 'waiting' : ageMs > staleAfterMs ? 'stale' : 'fresh',
      gaps,
    };
  });
  const { ageMs, state, gaps } = accountStreamOf(session);
  return [...channels, { name: 'account', ageMs, state, gaps }];
}

function heldBy(session: RunningSession, tag: string): readonly HeldPosition[] {
  const { engine, stream, recorder } = session;
  return engine.executor
    .account(tag)
    .positions()
    .map((position) => {
      const { symbol, quantity, entryPrice } = position;
      const { quote, settle, market, contractSize } = stream.market.instrument(symbol);
      const mid = recorder.mid(symbol);
      const moved = mid === undefined || entryPrice === null ? null : (mid - Number(entryPrice)) * Number(quantity);
      const size = market === 'spot' ? 1 : contractSize.toNumber();
      return {
        ...position,
        unrealizedPnl: moved === null ? null : moved * size,
        quote: market === 'spot' ? quote : settle,
      };
    });
}

function strategiesOf(session: RunningSession): readonly StrategyState[] {
  const { engine, options, recorder, earlier } = session;
  return options.strategies.map(({ tag }) => {
    const account = engine.executor.account(tag);
    const own = engine.executor.counters(tag);
    return {
      tag,
      status: engine.status(tag),
      positions: heldBy(session, tag),
      tally: recorder.tally(tag),
      netPnl: strategyPnl(engine.executor.state.positions.all(), tag, recorder.prices),
      openOrders: account.openOrders(),
      programs: engine.executor.programs(tag),
      unprotected: engine.executor.unprotected.filter(({ strategy }) => strategy === tag),
      counters: earlier?.counters(own, tag) ?? own,
      denials: recorder.denials(tag),
      error: engine.failures.get(tag)?.message ?? null,
    };
  });
}

/** Each reason once; that of one symbol names it. */
export function closedBecause({
  gates,
  reconciler,
  symbols,
}: Pick<RunningSession, 'gates' | 'symbols'> & {
  readonly reconciler: Pick<RunningSession['reconciler'], 'gate'>;
}): readonly string[] {
  const all = [...gates, reconciler.gate];
  const reasons = symbols.flatMap((symbol) => all.flatMap((gate) => closureText(gate, symbol) ?? []));
  return [...new Set(reasons)];
}

function closureText(gate: Gate, symbol: string): string | null {
  const message = gate.closedBecause(symbol)?.message;
  if (message === undefined) return null;
  const isOfAll = gate.closedBecause('')?.message === message;
  return isOfAll || message.includes(symbol) ? message : `${symbol}: ${message}`;
}

export interface SnapshotContext {
  readonly endsAt: number | null;
  readonly messages: readonly string[];
}

export function takeSnapshot(session: RunningSession, context: SnapshotContext): SessionSnapshot {
  const { engine, options, recorder, clock, startedAt } = session;
  const { config, mode, folder, connection } = options;
  const { equity } = recorder;
  const now = clock.now();
  const isValued = equity.begun && equity.capital > 0;
  const figures = isValued ? recorder.figures : null;
  const accountPnl = figures?.accountPnl.toNumber() ?? null;
  const orders = options.strategies.flatMap(({ tag }) => engine.executor.account(tag).openOrders());
  const open = orders.length;
  return {
    mode,
    id: folder.record.id,
    exchange: connection.name,
    account: folder.record.account,
    killed: engine.executor.state.killReason ?? null,
    startedAt,
    now,
    endsAt: context.endsAt,
    tops: topsOf(session),
    streams: streamsOf(session),
    strategies: strategiesOf(session),
    fills: recorder.fillCount,
    equity: isValued ? equity.equity : null,
    netPnl: figures?.netPnl.toNumber() ?? null,
    heldDrift: figures?.heldDrift.toNumber() ?? null,
    accountPnl,
    currency: config.account.reporting,
    closedGates: closedBecause(session),
    unknown: orders.filter(({ state }) => state === 'unknown').length,
    risk: usedLimits(engine.executor, config.risk, open, now),
    messages: context.messages,
  };
}
