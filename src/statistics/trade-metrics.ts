/** Wins, runs, durations and excursions of the trades. */
import { Extremes } from './numbers/extremes.ts';
import { finite, momentsOf, ratio, sumOf } from './numbers/moments.ts';
import type { Series } from './series.ts';
import type { Trade } from './trades.ts';

export interface TradeMetrics {
  readonly trades: number;
  readonly winRate: number | null;
  readonly profitFactor: number | null;
  readonly payoff: number | null;
  readonly expectancy: number | null;
  readonly sqn: number | null;
  readonly kelly: number | null;
  readonly maxWinStreak: number | null;
  readonly maxLossStreak: number | null;
  readonly avgHoldingMs: number | null;
  /** Mean worst (`mfe`: best) unrealised result, reporting currency, positive. */
  readonly mae: number | null;
  readonly mfe: number | null;
}

/** `excursions` in the order of `trades`. */
export function tradeMetrics(trades: readonly Trade[], excursions: readonly (Excursion | null)[]): TradeMetrics {
  const pnls = trades.map((trade) => trade.pnl);
  const wins = pnls.filter((pnl) => pnl > 0);
  const losses = pnls.filter((pnl) => pnl < 0);
  const grossProfit = sumOf(wins);
  const grossLoss = -sumOf(losses);
  const winRate = ratio(wins.length, wins.length + losses.length);
  const payoff =
    wins.length === 0 || losses.length === 0 ? null : ratio(grossProfit / wins.length, grossLoss / losses.length);
  const { mean, std } = momentsOf(pnls);
  const quality = mean === null ? null : ratio(mean, std);
  return {
    trades: trades.length,
    winRate,
    profitFactor: ratio(grossProfit, grossLoss),
    payoff,
    expectancy: mean,
    sqn: quality === null ? null : Math.sqrt(trades.length) * quality,
    kelly: winRate === null || payoff === null ? null : finite(winRate - (1 - winRate) / payoff),
    ...streaks(pnls),
    avgHoldingMs: trades.length === 0 ? null : sumOf(trades.map((t) => t.exitTs - t.entryTs)) / trades.length,
    ...meanExcursions(excursions),
  };
}

/** By exit time; trades without result are skipped. */
function streaks(pnls: readonly number[]): Pick<TradeMetrics, 'maxWinStreak' | 'maxLossStreak'> {
  if (pnls.length === 0) return { maxWinStreak: null, maxLossStreak: null };
  let run = 0;
  let maxWinStreak = 0;
  let maxLossStreak = 0;
  for (const pnl of pnls) {
    if (pnl === 0) continue;
    run = pnl > 0 ? Math.max(run, 0) + 1 : Math.min(run, 0) - 1;
    maxWinStreak = Math.max(maxWinStreak, run);
    maxLossStreak = Math.max(maxLossStreak, -run);
  }
  return { maxWinStreak, maxLossStreak };
}

/** Worst and best unrealised result of a trade, reporting currency, both positive. */
export type Excursion = readonly [adverse: number, favourable: number];

/** From the mids from that of the entry to that of the exit, and the exit price; null without mids. */
export function excursionsOf(
  trades: readonly Trade[],
  mids: Readonly<Record<string, Series>>,
): readonly (Excursion | null)[] {
  const bySymbol = new Map<string, Extremes>();
  return trades.map((trade) => {
    const path = mids[trade.symbol];
    if (path === undefined || path.length === 0) return null;
    let extremes = bySymbol.get(trade.symbol);
    if (extremes === undefined) {
      extremes = new Extremes(path);
      bySymbol.set(trade.symbol, extremes);
    }
    const range = extremes.between(trade.entryTs, trade.exitTs, trade.entryMid, trade.exitMid);
    const low = Math.min(range?.low ?? trade.exitPrice, trade.exitPrice);
    const high = Math.max(range?.high ?? trade.exitPrice, trade.exitPrice);
    const size = trade.quantity * trade.unit;
    const down = Math.max(0, trade.entryPrice - low) * size;
    const up = Math.max(0, high - trade.entryPrice) * size;
    return trade.direction === 'long' ? [down, up] : [up, down];
  });
}

function meanExcursions(excursions: readonly (Excursion | null)[]): Pick<TradeMetrics, 'mae' | 'mfe'> {
  const known = excursions.filter((excursion) => excursion !== null);
  if (known.length === 0) return { mae: null, mfe: null };
  return {
    mae: sumOf(known.map(([adverse]) => adverse)) / known.length,
    mfe: sumOf(known.map(([, favourable]) => favourable)) / known.length,
  };
}
