/**
 * Runs a candle strategy on streams, each candle once. Decisions of the first `warmup` candles are dropped, so the
 * first decision is the same in every mode.
 *
 *   history  c1 c2 c3 ─┐
 *                      ├─▶ onCandle ─▶ dropped while seen ≤ warmup ─▶ actions
 *   session     c3 c4 ─┘   (c3 of the session is skipped: seen already)
 */
import { filter, map, merge, type Observable } from 'rxjs';
import type { Action } from '../model/action.ts';
import type { Candle } from '../model/views.ts';
import type { CandleNeeds, Decision, RunContext } from './definition.ts';
import type { CandleContext, CandleSetupContext } from './context.ts';

export interface CandleHandlers<Params, Vars> {
  setup(context: CandleSetupContext<Params>): Vars;
  onCandle(candle: Candle, context: CandleContext<Params, Vars>): Decision;
}

type Decide = (candle: Candle) => Decision;

/** One symbol, from history to session. */
function decider<Params, Vars>(
  symbol: string,
  warmup: number,
  handlers: CandleHandlers<Params, Vars>,
  context: RunContext<Params>,
): Decide {
  const setupContext: CandleSetupContext<Params> = { ...context, symbol, chart: context.chartOf(symbol) };
  const vars = handlers.setup(setupContext);
  const candleContext: CandleContext<Params, Vars> = Object.freeze({ ...setupContext, vars });
  let lastOpenTime = Number.NEGATIVE_INFINITY;
  let seen = 0;
  const decide: Decide = (candle) => {
    if (!candle.closed || candle.openTime <= lastOpenTime) return undefined;
    lastOpenTime = candle.openTime;
    const decision = handlers.onCandle(candle, candleContext);
    seen++;
    return seen > warmup ? decision : undefined;
  };
  for (const candle of context.warmupCandles(symbol, warmup)) decide(candle);
  return decide;
}

export function runCandles<Params, Vars>(
  needs: CandleNeeds,
  handlers: CandleHandlers<Params, Vars>,
  context: RunContext<Params>,
): Observable<Action | readonly Action[]> {
  const deciders = needs.symbols.map((symbol) => ({
    symbol,
    decide: decider(symbol, needs.warmup, handlers, context),
  }));
  const decisions = deciders.map(({ symbol, decide }) =>
    context.market.candles(symbol, needs.interval).pipe(
      map(decide),
      filter((decision) => decision !== undefined),
    ),
  );
  return merge(...decisions);
}
