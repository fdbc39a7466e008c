/**
 * P&L before costs in timing (positions × moves of the mid) and execution (fills against the mid). A base fee is part
 * of neither. All is at the last rates, as the equity's holdings are. If their sum is not the equity's P&L, timing is unknown.
 */
import type { CashEvent, FillRecord } from '../inputs.ts';
import { indexAt, type Series } from '../series.ts';
import { atLastRates, positionChange, valuesOf, type FillValue, type Symbols } from '../valuation.ts';

export interface HeldSymbol {
  readonly path: Series;
  /** Time of each fill, rising, and position change × reporting currency per unit of price. */
  readonly ts: Float64Array;
  readonly change: Float64Array;
}

export interface HeldPath {
  /** Unix ms. */
  readonly period: { readonly from: number; readonly to: number };
  readonly symbols: readonly HeldSymbol[];
  /** Reporting currency. */
  readonly timing: number;
  readonly execution: number;
}

export interface HeldInput {
  readonly fills: readonly FillRecord[];
  readonly symbols: Symbols;
  readonly mids: Readonly<Record<string, Series>>;
  readonly funding: readonly CashEvent[];
  readonly period: HeldPath['period'];
  /** Net of fees and funding; null when unknown. */
  readonly netPnl: number | null;
}

/** Relative to the sum of all absolute parts. */
const DIFFERENCE_MAX = 1e-6;

/** The path, or why there is none. */
export function heldPath({ fills, symbols, mids, funding, period, netPnl }: HeldInput): HeldPath | string {
  if (fills.length === 0) return 'no fills';
  if (netPnl === null) return 'the P&L is not known';
  const bySymbol = Map.groupBy(valuesOf(atLastRates(fills), symbols), ({ fill }) => fill.symbol);
  const parts = [...bySymbol].map(([symbol, values]) => partOf(values, mids[symbol]));
  const unknown = parts.find((part) => typeof part === 'string');
  if (unknown !== undefined) return unknown;
  const known = parts.filter((part) => typeof part !== 'string');
  const sum = (pick: (part: Part) => number): number => known.reduce((total, part) => total + pick(part), 0);
  const [timing, execution, costs] = [
    sum((part) => part.timing),
    sum((part) => part.execution),
    sum((part) => part.costs),
  ];
  const beforeCosts = netPnl + costs - funding.reduce((total, { amount }) => total + Number(amount), 0);
  const scale = Math.abs(timing) + Math.abs(execution) + Math.abs(costs);
  if (Math.abs(timing + execution - beforeCosts) > DIFFERENCE_MAX * Math.max(1, scale)) {
    return `positions and fills explain ${(timing + execution).toFixed(2)} of a P&L of ${beforeCosts.toFixed(2)} before costs`;
  }
  return { period, symbols: known.map(({ held }) => held), timing, execution };
}

interface Part {
  readonly held: HeldSymbol;
  readonly timing: number;
  readonly execution: number;
  readonly costs: number;
}

function partOf(values: readonly FillValue[], path: Series | undefined): Part | string {
  if (path === undefined || path.length === 0) return `no price path of ${values[0]!.fill.symbol}`;
  const ordered = values.toSorted((a, b) => a.fill.ts - b.fill.ts);
  const ts = Float64Array.from(ordered, ({ fill }) => fill.ts);
  const change = new Float64Array(ordered.length);
  let [position, paid, execution, costs] = [0, 0, 0, 0];
  for (const [index, value] of ordered.entries()) {
    const { fill, price, unit, fee } = value;
    if (fee === null) return `a fee in ${fill.feeCurrency} has no price`;
    const mid = path.value[Math.max(0, indexAt(path, fill.ts))]!;
    change[index] = positionChange(value).times(unit).toNumber();
    position += change[index];
    paid += change[index] * mid;
    execution += change[index] * (mid - price.toNumber());
    costs += fee.toNumber();
  }
  return { held: { path, ts, change }, timing: position * path.value[path.length - 1]! - paid, execution, costs };
}
