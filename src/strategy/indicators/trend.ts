/** Lines that follow a trend. Each names its source and what a flat series gives. */
import * as lib from 'trading-signals';
import { indicatorOf, streaming, type HighLow, type HighLowClose, type Indicator } from './indicator.ts';

export interface TrendLineValue {
  /** Below the price while up, above it while down. */
  readonly line: number;
  readonly trend: 'up' | 'down';
}

export interface IchimokuValue {
  readonly conversion: number;
  readonly base: number;
  /** Charts draw both spans `base` candles ahead. */
  readonly spanA: number;
  readonly spanB: number;
}

/** Seban: median price ± `width` average true ranges, kept while the close stays beyond. Flat: the price, down. */
export function supertrend(n: number, width: number): Indicator<TrendLineValue, HighLowClose> {
  const source = new lib.SuperTrend({ interval: n, multiplier: width });
  return streaming(source, n, ({ supertrend: line, trend }): TrendLineValue => ({
    line,
    trend: direction(trend),
  }));
}

export function direction(signal: lib.TradingSignals): 'up' | 'down' {
  return signal === lib.TradingSignal.BULLISH ? 'up' : 'down';
}

/** Hosoda (1969): means of the highest high and lowest low of three windows. Flat: the price. */
export function ichimoku(conversion: number, base: number, span: number): Indicator<IchimokuValue, HighLow> {
  const source = new lib.IchimokuCloud({
    conversionInterval: conversion,
    baseInterval: base,
    spanBInterval: span,
  });
  return streaming(source, Math.max(conversion, base, span), (value): IchimokuValue => ({ ...value }));
}

interface SarState {
  readonly up: boolean;
  /** The line of the next candle. */
  readonly next: number;
  readonly extreme: number;
  readonly acceleration: number;
}

/** Wilder (1978), as TA-Lib's SAR; warm after 2 candles. Flat: the price. */
export function parabolicSar(step: number, most: number): Indicator<TrendLineValue, HighLow> {
  let before: HighLow | undefined;
  let state: SarState | undefined;
  return indicatorOf(({ high, low }: HighLow): TrendLineValue | undefined => {
    const last = before;
    before = { high, low };
    if (last === undefined) return undefined;
    const begun = state === undefined;
    state ??= firstSar(last, before, step);
    const reach = begun ? before : last;
    const top = Math.max(reach.high, high);
    const bottom = Math.min(reach.low, low);
    const turns = state.up ? low <= state.next : high >= state.next;
    const up = turns ? !state.up : state.up;
    const line = turns ? beyond(up, state.extreme, top, bottom) : state.next;
    const newer = up ? high : low;
    const further = turns || (up ? newer > state.extreme : newer < state.extreme);
    const extreme = further ? newer : state.extreme;
    const faster = further ? Math.min(most, state.acceleration + step) : state.acceleration;
    const acceleration = turns ? Math.min(step, most) : faster;
    state = { up, extreme, acceleration, next: beyond(up, line + acceleration * (extreme - line), top, bottom) };
    return { line, trend: up ? 'up' : 'down' };
  });
}

/** Down when the second candle falls further than it rises. */
function firstSar(first: HighLow, second: HighLow, step: number): SarState {
  const fall = first.low - second.low;
  const up = !(fall > 0 && fall > second.high - first.high);
  return {
    up,
    next: up ? first.low : first.high,
    extreme: up ? second.high : second.low,
    acceleration: step,
  };
}

function beyond(up: boolean, line: number, top: number, bottom: number): number {
  return up ? Math.min(line, bottom) : Math.max(line, top);
}
