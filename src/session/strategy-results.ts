/** The result of each strategy of a backtest that runs several: its own fills on its share of the capital. */
import { decimalText } from '../model/money.ts';
import type { OrderCounters } from '../spine/orders/order-counters.ts';
import { computeStats } from '../statistics/compute.ts';
import type { FillRecord, SymbolRecord } from '../statistics/inputs.ts';
import { strategyCurve } from '../statistics/strategy-curve.ts';
import { valuesOf } from '../statistics/valuation.ts';
import type { StrategyResult } from './result.ts';
import type { RunRecorder } from './run-recorder.ts';

/** A strategy that ran. */
export interface RunStrategy {
  readonly tag: string;
  readonly name: string;
  /** Of the capital; null: it may use all of it. */
  readonly share: number | null;
  readonly counters: Readonly<OrderCounters>;
}

export interface StrategiesInput {
  readonly strategies: readonly RunStrategy[];
  readonly period: { readonly from: number; readonly to: number };
  readonly sampleMs: number | undefined;
  readonly fills: readonly FillRecord[];
  readonly symbols: Readonly<Record<string, SymbolRecord>>;
  readonly recorder: RunRecorder;
}

export function strategyResults(input: StrategiesInput): readonly StrategyResult[] {
  const { recorder } = input;
  const start = recorder.equity.series().value[0] ?? 0;
  return input.strategies.map((strategy) => resultOf(strategy, start * (strategy.share ?? 1), input));
}

function resultOf(
  { tag, name, share, counters }: RunStrategy,
  capital: number,
  { period, sampleMs, fills: all, symbols, recorder }: StrategiesInput,
): StrategyResult {
  const { from, to } = period;
  const fills = all.filter(({ strategy }) => strategy === tag);
  const mids = recorder.midSeries();
  const funding = recorder.fundingOf(tag).map(({ ts, currency, amount }) => ({
    ts,
    amount: decimalText(recorder.worth(currency, amount)),
  }));
  const values = valuesOf(fills, symbols);
  const last = (symbol: string): number | undefined => recorder.price(symbol);
  const { equity, netPnl } = strategyCurve({ from, to, capital, values, funding, mids, last });
  const account = netPnl === null ? null : { netPnl, heldDrift: 0, external: 0, accountPnl: netPnl };
  const sample = sampleMs === undefined ? {} : { sampleMs };
  const { stats } = computeStats({
    from,
    to,
    ...sample,
    equity,
    fills,
    account,
    funding,
    orders: counters,
    symbols,
    mids,
  });
  return { strategy: tag, name, share, capital, fills: fills.length, orders: { ...counters }, stats };
}
