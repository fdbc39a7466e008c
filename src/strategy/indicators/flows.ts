/** Indicators of volume and of best quotes. Each names its source and what a flat series gives. */
import { overWindow } from './composite.ts';
import { indicatorOf, type BestQuotes, type HighLowCloseVolume, type Indicator } from './indicator.ts';

/** Granville (1963), as TA-Lib: the first volume, then plus or minus it as the close rises or falls. Flat: constant. */
export function obv(): Indicator<number, Pick<HighLowCloseVolume, 'close' | 'volume'>> {
  let before: number | undefined;
  let total = 0;
  return indicatorOf(({ close, volume }: Pick<HighLowCloseVolume, 'close' | 'volume'>) => {
    if (before === undefined || close > before) total += volume;
    else if (close < before) total -= volume;
    before = close;
    return total;
  });
}

/** Quong and Soudack (1989): money of rising typical prices ÷ all moved, 0 to 100. Flat or no volume: 50. */
export function mfi(n: number): Indicator<number, HighLowCloseVolume> {
  const rising = overWindow(n, total);
  const moving = overWindow(n, total);
  let before: number | undefined;
  return indicatorOf(({ high, low, close, volume }: HighLowCloseVolume) => {
    const typical = (high + low + close) / 3;
    const change = before === undefined ? undefined : typical - before;
    before = typical;
    if (change === undefined) return undefined;
    const up = rising.next(change > 0 ? typical * volume : 0);
    const all = moving.next(change === 0 ? 0 : typical * volume);
    if (up === undefined || all === undefined) return undefined;
    return all > 0 ? (100 * up) / all : 50;
  });
}

/** Chaikin: Σ volume × ((close − low) − (high − close)) ÷ (high − low), over Σ volume. Flat or no volume: 0. */
export function cmf(n: number): Indicator<number, HighLowCloseVolume> {
  const flow = overWindow(n, total);
  const volumes = overWindow(n, total);
  return indicatorOf(({ high, low, close, volume }: HighLowCloseVolume) => {
    const signed = flow.next(high > low ? (volume * (close - low - (high - close))) / (high - low) : 0);
    const all = volumes.next(volume);
    if (signed === undefined || all === undefined) return undefined;
    return all > 0 ? signed / all : 0;
  });
}

/** Mid weighted by the opposite quantities, (bid × ask quantity + ask × bid quantity) ÷ both. None there: the mid. */
export function microprice(): Indicator<number, BestQuotes> {
  return indicatorOf(({ bid, bidQuantity, ask, askQuantity }: BestQuotes) => {
    const both = bidQuantity + askQuantity;
    return both > 0 ? bid + (ask - bid) * (bidQuantity / both) : bid + (ask - bid) / 2;
  });
}

/** Cont, Kukanov and Stoikov (2014): Σ eₙ over the last `n` changes of the best quotes, in base units. Flat: 0. */
export function orderFlow(n: number): Indicator<number, BestQuotes> {
  const sum = overWindow(n, total);
  let before: BestQuotes | undefined;
  return indicatorOf(({ bid, bidQuantity, ask, askQuantity }: BestQuotes) => {
    const last = before;
    before = { bid, bidQuantity, ask, askQuantity };
    if (last === undefined) return undefined;
    let change = 0;
    if (bid >= last.bid) change += bidQuantity;
    if (bid <= last.bid) change -= last.bidQuantity;
    if (ask <= last.ask) change -= askQuantity;
    if (ask >= last.ask) change += last.askQuantity;
    return sum.next(change);
  });
}

function total(window: readonly number[]): number {
  let sum = 0;
  for (const item of window) sum += item;
  return sum;
}
