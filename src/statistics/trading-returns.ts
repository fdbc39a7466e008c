/**
 * Returns of trading alone, on the grid by which trials are compared: what fills, fees and funding made of the starting equity,
 * positions at the mid. The drift of what a spot account holds from the start is left out: all trials share it, so that by
 * whole equity they would look alike, and luck of the market like merit of the strategy.
 */
import type { CashEvent, FillRecord } from './inputs.ts';
import { gridStep, simpleOrLost, type PeriodReturns } from './period-grid.ts';
import { gridTimes } from './returns.ts';
import { indexAt, type Series } from './series.ts';
import { positionChange, valuesOf, type FillValue, type Symbols } from './valuation.ts';

export interface TradingInput {
  readonly fills: readonly FillRecord[];
  readonly symbols: Symbols;
  readonly mids: Readonly<Record<string, Series>>;
  readonly funding: readonly CashEvent[];
  /** Equity at the start, reporting currency. */
  readonly start: number;
  readonly period: { readonly from: number; readonly to: number };
}

interface Holding {
  /** Reporting currency per unit of price. */
  units: number;
}

export function tradingReturns(input: TradingInput): PeriodReturns {
  const { fills, symbols, mids, funding, start, period } = input;
  const sampleMs = gridStep(period.from, period.to);
  const values = valuesOf(fills, symbols).toSorted((a, b) => a.fill.ts - b.fill.ts);
  const payments = funding.toSorted((a, b) => a.ts - b.ts);
  // Looked up by content: by property, V8 drops its code for this loop at each run's own string for the symbol.
  const paths = new Map(Object.entries(mids));
  const holdings = new Map<string, Holding>();
  let cash = start;
  let fillAt = 0;
  let paymentAt = 0;
  const times = gridTimes(period.from, period.to, sampleMs);
  const curve = new Float64Array(times.length);
  for (const [index, ts] of times.entries()) {
    for (; fillAt < values.length && values[fillAt]!.fill.ts <= ts; fillAt++) cash += booked(values[fillAt]!, holdings);
    for (; paymentAt < payments.length && payments[paymentAt]!.ts <= ts; paymentAt++) {
      cash += Number(payments[paymentAt]!.amount);
    }
    let worth = cash;
    for (const [symbol, { units }] of holdings) if (units !== 0) worth += units * midAt(paths.get(symbol), ts);
    curve[index] = worth;
  }
  return { sampleMs, values: simpleOrLost(curve) };
}

/** Moves the holding; answers what the fill brought in money. */
function booked(value: FillValue, holdings: Map<string, Holding>): number {
  const { fill, symbol, direction, unit, notional, fee } = value;
  const holding = holdings.get(fill.symbol) ?? { units: 0 };
  holdings.set(fill.symbol, holding);
  holding.units += positionChange(value).times(unit).toNumber();
  const isInBase = symbol.market === 'spot' && fill.feeCurrency === symbol.base;
  return -direction * notional.toNumber() - (isInBase || fee === null ? 0 : fee.toNumber());
}

/** The first mid before there was one: a fill has always left one. */
function midAt(mids: Series | undefined, ts: number): number {
  if (mids === undefined || mids.length === 0) return 0;
  return mids.value[Math.max(0, indexAt(mids, ts))]!;
}
