/**
 * The curve of one strategy of several: its capital plus what its own fills, fees and funding made, at each of its fills
 * and at each point of the mid paths of what it traded.
 */
import { dec, ZERO, type Decimal } from '../model/money.ts';
import type { CashEvent } from './inputs.ts';
import { GrowingSeries, type Series } from './series.ts';
import { positionChange, type FillValue } from './valuation.ts';

export interface CurveInput {
  readonly from: number;
  readonly to: number;
  /** Reporting currency. */
  readonly capital: number;
  /** Of the strategy, by exchange time. */
  readonly values: readonly FillValue[];
  /** Of the strategy. */
  readonly funding: readonly CashEvent[];
  readonly mids: Readonly<Record<string, Series>>;
  /** Price of a symbol at the end, as the account values it. */
  readonly last: (symbol: string) => number | undefined;
}

export interface StrategyCurve {
  readonly equity: Series;
  /** Null where a fee or a holding has no known worth. */
  readonly netPnl: number | null;
}

interface Held {
  quantity: Decimal;
  size: number;
  readonly unit: number;
  price: number;
}

/** Next point of the path of a symbol. */
interface Path {
  readonly symbol: string;
  readonly series: Series;
  next: number;
}

export function strategyCurve({ from, to, capital, values, funding, mids, last }: CurveInput): StrategyCurve {
  const equity = new GrowingSeries();
  const held = new Map<string, Held>();
  let cash = ZERO;
  let isKnown = true;
  const point = (ts: number): void => {
    let value = cash.toNumber();
    for (const { size, price, unit } of held.values()) if (size !== 0) value += size * price * unit;
    equity.push(ts, capital + value);
  };
  const book = (value: FillValue): void => {
    const { fill, symbol, direction, notional, fee, unit, price } = value;
    const own = held.get(fill.symbol) ?? { quantity: ZERO, size: 0, unit: unit.toNumber(), price: 0 };
    held.set(fill.symbol, own);
    own.quantity = own.quantity.plus(positionChange(value));
    own.size = own.quantity.toNumber();
    own.price = fill.mid ?? price.toNumber();
    cash = direction === 1 ? cash.minus(notional) : cash.plus(notional);
    const isInBase = symbol.market === 'spot' && fill.feeCurrency === symbol.base;
    if (fee === null) isKnown = false;
    else if (!isInBase) cash = cash.minus(fee);
  };
  const paths = [...new Set(values.map(({ fill }) => fill.symbol))].flatMap((symbol): Path[] => {
    const series = mids[symbol];
    return series === undefined ? [] : [{ symbol, series, next: 0 }];
  });
  equity.push(from, capital);
  let [fillAt, paidAt] = [0, 0];
  for (;;) {
    const fillTs = values[fillAt]?.fill.ts ?? Number.POSITIVE_INFINITY;
    const paidTs = funding[paidAt]?.ts ?? Number.POSITIVE_INFINITY;
    const path = earliest(paths);
    const midTs = path?.series.ts[path.next] ?? Number.POSITIVE_INFINITY;
    const ts = Math.min(fillTs, paidTs, midTs);
    if (ts === Number.POSITIVE_INFINITY || ts > to) break;
    if (midTs === ts && path !== undefined) {
      const own = held.get(path.symbol);
      if (own !== undefined) own.price = path.series.value[path.next]!;
      path.next++;
      if (own === undefined || own.size === 0) continue;
    } else if (fillTs === ts) book(values[fillAt++]!);
    else cash = cash.plus(dec(funding[paidAt++]!.amount));
    if (ts >= from) point(ts);
  }
  for (const [symbol, own] of held) {
    const price = last(symbol);
    if (price !== undefined) own.price = price;
    else if (own.size !== 0) isKnown = false;
  }
  point(to);
  return { equity, netPnl: isKnown ? equity.value[equity.length - 1]! - capital : null };
}

function earliest(paths: readonly Path[]): Path | undefined {
  let first: Path | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const path of paths) {
    const ts = path.next < path.series.length ? path.series.ts[path.next]! : Number.POSITIVE_INFINITY;
    if (ts < least) [first, least] = [path, ts];
  }
  return first;
}
