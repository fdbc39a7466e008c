/**
 * What was held, and what the market did meanwhile, on the grid by which trials are compared: the input of the block permutation.
 * Of the symbol with the greatest volume. From the whole path of mids: by prices that are older than the moment, a position would
 * be credited with the move before it was taken. Pure.
 */
import type { FillRecord, SymbolRecord } from '../inputs.ts';
import { gridStep } from '../period-grid.ts';
import { gridTimes } from '../returns.ts';
import { indexAt, type Series } from '../series.ts';
import type { Symbols } from '../valuation.ts';

export interface HeldInput {
  readonly fills: readonly FillRecord[];
  readonly symbols: Symbols;
  readonly mids: Readonly<Record<string, Series>>;
  readonly period: { readonly from: number; readonly to: number };
}

export interface HeldAndMarket {
  readonly symbol: string;
  /** Units at the start of each period: Σ positions · market is in the reporting currency. */
  readonly positions: Float64Array;
  /** Change of the mid in each period. */
  readonly market: Float64Array;
}

/** Null without fills or without a price path. Plain numbers do: nothing is booked by them. */
export function heldAndMarket({ fills, symbols, mids, period }: HeldInput): HeldAndMarket | null {
  const volumes = new Map<string, number>();
  for (const { symbol, price, quantity } of fills) {
    volumes.set(symbol, (volumes.get(symbol) ?? 0) + Number(price) * Number(quantity) * unitOf(symbols[symbol]));
  }
  const [symbol] = [...volumes].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const path = symbol === undefined ? undefined : mids[symbol];
  if (symbol === undefined || path === undefined || path.length === 0) return null;
  const unit = unitOf(symbols[symbol]);
  const own = fills.filter((fill) => fill.symbol === symbol).toSorted((a, b) => a.ts - b.ts);
  const times = gridTimes(period.from, period.to, gridStep(period.from, period.to));
  // The first mid before there was one.
  const prices = Float64Array.from(times, (ts) => path.value[Math.max(0, indexAt(path, ts))]!);
  const positions = new Float64Array(times.length - 1);
  let held = 0;
  let fillAt = 0;
  for (let index = 0; index < positions.length; index++) {
    for (; fillAt < own.length && own[fillAt]!.ts <= times[index]!; fillAt++)
      held += change(own[fillAt]!, symbols[symbol]);
    positions[index] = held * unit;
  }
  return { symbol, positions, market: positions.map((_, index) => prices[index + 1]! - prices[index]!) };
}

/** Reporting currency per unit of price and quantity. */
function unitOf(symbol: SymbolRecord | undefined): number {
  return Number(symbol?.contractSize ?? 1) * Number(symbol?.quoteRate ?? 1);
}

/** The signed quantity, less a spot fee paid in base (rule A1). */
function change({ side, quantity, fee, feeCurrency }: FillRecord, symbol: SymbolRecord | undefined): number {
  const isInBase = symbol?.market === 'spot' && feeCurrency === symbol.base;
  return (side === 'buy' ? Number(quantity) : -Number(quantity)) - (isInBase ? Number(fee) : 0);
}
