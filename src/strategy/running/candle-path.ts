/**
 * Runs a candle strategy on streams, each candle of each interval once. Decisions of the first `warmup` candles are
 * dropped, so the first decision is the same in every mode. Of candles that close together the longest comes first.
 *
 *   history  c1 c2 c3 ─┐
 *                      ├─▶ onCandle ─▶ dropped while seen ≤ warmup ─▶ actions
 *   session     c3 c4 ─┘   (c3 of the session is skipped: seen already)
 */
import { map, merge, type Observable } from 'rxjs';
import type { Action } from '../../model/trading/action.ts';
import type { Candle } from '../../model/market/views.ts';
import type { CandleFrame, CandleNeeds, Decision, RunContext } from '../definition.ts';
import type { CandleContext, CandleSetupContext } from '../context/context.ts';
import { strategyErrors } from '../errors.ts';

export interface CandleHandlers<Params, Vars> {
  setup(context: CandleSetupContext<Params>): Vars;
  onCandle(candle: Candle, context: CandleContext<Params, Vars>): Decision;
}

const NOTHING: readonly Action[] = Object.freeze([]);

type Decide = (candle: Candle) => Decision;

/** One interval of one symbol. */
interface Lane<Params, Vars> {
  readonly frame: CandleFrame;
  readonly context: CandleContext<Params, Vars>;
  last: Candle | undefined;
  seen: number;
  /** What the exchange knew of the candle that was forming at the start. */
  begun: Candle | undefined;
}

/** A candle of the session, with what it lacks of the time before the start. */
function completed(candle: Candle, begun: Candle | undefined): Candle {
  if (begun?.openTime !== candle.openTime) return candle;
  const { open, high, low, volume } = begun;
  return Object.freeze({
    ...candle,
    open,
    high: Math.max(high, candle.high),
    low: Math.min(low, candle.low),
    volume: volume + candle.volume,
  });
}

/** One symbol, from history to session. */
function decider<Params, Vars>(
  symbol: string,
  frames: readonly CandleFrame[],
  handlers: CandleHandlers<Params, Vars>,
  context: RunContext<Params>,
): Decide {
  const setupContext: CandleSetupContext<Params> = { ...context, symbol, chart: context.chartOf(symbol) };
  const vars = handlers.setup(setupContext);
  const lanes = new Map<number, Lane<Params, Vars>>();
  const newest = (interval: string): Candle | undefined => {
    const lane = [...lanes.values()].find(({ frame }) => frame.interval === interval);
    if (lane !== undefined) return lane.last;
    const known = frames.map((frame) => frame.interval).join(', ');
    throw strategyErrors.make('strategy_definition', `candle('${interval}'): the strategy takes candles of ${known}`);
  };
  for (const frame of frames) {
    const own = { vars, interval: frame.interval, candle: newest };
    const lane = { frame, context: Object.freeze({ ...setupContext, ...own }), last: undefined, seen: 0 };
    lanes.set(frame.intervalMs, { ...lane, begun: context.begunCandle(symbol, frame.intervalMs) });
  }
  let cold = frames.filter(({ warmup }) => warmup > 0).length;
  const decide: Decide = (candle) => {
    const lane = lanes.get(candle.intervalMs);
    if (lane === undefined || !candle.closed) return undefined;
    if (lane.last !== undefined && candle.openTime <= lane.last.openTime) return undefined;
    lane.last = completed(candle, lane.begun);
    const decision = handlers.onCandle(lane.last, lane.context);
    lane.seen++;
    if (lane.seen === lane.frame.warmup) cold--;
    return lane.seen > lane.frame.warmup && cold === 0 ? decision : undefined;
  };
  for (const candle of context.warmupCandles(symbol, frames)) decide(candle);
  return decide;
}

export function runCandles<Params, Vars>(
  { symbols, frames }: CandleNeeds,
  handlers: CandleHandlers<Params, Vars>,
  context: RunContext<Params>,
): Observable<Action | readonly Action[]> {
  const deciders = symbols.map((symbol) => ({ symbol, decide: decider(symbol, frames, handlers, context) }));
  const decisions = deciders.flatMap(({ symbol, decide }) =>
    frames.map(({ interval }) =>
      context.market.candles(symbol, interval).pipe(
        map((candle) => {
          const decision = decide(candle);
          return decision === undefined ? NOTHING : decision;
        }),
      ),
    ),
  );
  return merge(...decisions);
}
