/** Time and size at risk per strategy. Leverage is gross notional at mid over equity, time-weighted. */
import { type Decimal, ZERO, dec } from '../model/numbers/money.ts';
import { finite } from './numbers/moments.ts';
import type { SymbolRecord } from './inputs.ts';
import type { Series } from './series.ts';
import { type FillValue, positionChange, positionKey } from './valuation.ts';

export interface Exposure {
  readonly exposurePct: number | null;
  readonly meanLeverage: number | null;
  readonly maxLeverage: number | null;
}

interface Holding {
  readonly symbol: string;
  readonly rateBy: SymbolRecord['rateBy'];
  quantity: Decimal;
  /** Base units, positive; dust is 0. */
  size: number;
  /** Last known price and rate of the quote currency, the fallbacks of the mid paths. */
  price: number;
  rate: number;
}

class Holdings {
  readonly #byKey = new Map<string, Holding>();
  open = 0;

  apply(value: FillValue): void {
    const key = positionKey(value.fill);
    let holding = this.#byKey.get(key);
    if (holding === undefined) {
      const { fill, symbol } = value;
      holding = {
        symbol: fill.symbol,
        rateBy: symbol.rateBy,
        quantity: ZERO,
        size: 0,
        price: 0,
        rate: 0,
      };
      this.#byKey.set(key, holding);
    }
    const before = holding.size;
    holding.quantity = holding.quantity.plus(positionChange(value));
    holding.price = value.fill.mid ?? value.price.toNumber();
    holding.rate = value.rate?.toNumber() ?? 0;
    const size = holding.quantity.abs();
    holding.size = size.lt(dec(value.symbol.lotSize)) ? 0 : size.times(value.contractSize).toNumber();
    this.open += Number(holding.size > 0) - Number(before > 0);
  }

  all(): Iterable<Holding> {
    return this.#byKey.values();
  }
}

export interface ExposureInput {
  readonly values: readonly FillValue[];
  readonly equity: Series;
  readonly mids: Readonly<Record<string, Series>>;
  readonly from: number;
  readonly to: number;
}

export function exposureOf(input: ExposureInput): Exposure {
  if (!(input.to > input.from)) return { exposurePct: null, meanLeverage: null, maxLeverage: null };
  return { exposurePct: timeExposed(input), ...leverage(input) };
}

function timeExposed({ values, from, to }: ExposureInput): number {
  const holdings = new Holdings();
  let exposedMs = 0;
  let since = from;
  for (const value of values) {
    const now = Math.min(Math.max(value.fill.ts, since), to);
    if (holdings.open > 0) exposedMs += now - since;
    since = now;
    holdings.apply(value);
  }
  if (holdings.open > 0) exposedMs += to - since;
  return (exposedMs / (to - from)) * 100;
}

function leverage({ values, equity, mids, from, to }: ExposureInput): Omit<Exposure, 'exposurePct'> {
  const holdings = new Holdings();
  // Property access with a new string per run would deoptimise.
  const paths = new Map(Object.entries(mids));
  const cursors = new Map<string, number>();
  const priceAt = (symbol: string, now: number, fallback: number): number =>
    valueAt(paths.get(symbol), symbol, cursors, now) ?? fallback;
  let next = 0;
  let sum = 0;
  let highest = 0;
  for (let i = 0; i < equity.length; i++) {
    const now = equity.ts[i]!;
    while (next < values.length && values[next]!.fill.ts <= now) holdings.apply(values[next++]!);
    if (holdings.open === 0) continue;
    if (!(equity.value[i]! > 0)) return { meanLeverage: null, maxLeverage: null };
    let gross = 0;
    for (const holding of holdings.all()) {
      const { symbol, rateBy, size, price, rate } = holding;
      if (size === 0) continue;
      const value = size * priceAt(symbol, now, price);
      if (rateBy === undefined) gross += value * rate;
      else if (rateBy.inverse) gross += value / priceAt(rateBy.symbol, now, 1 / rate);
      else gross += value * priceAt(rateBy.symbol, now, rate);
    }
    const level = gross / equity.value[i]!;
    const until = i + 1 < equity.length ? equity.ts[i + 1]! : to;
    sum += level * Math.max(0, until - now);
    if (level > highest) highest = level;
  }
  return { meanLeverage: finite(sum / (to - from)), maxLeverage: finite(highest) };
}

/** Undefined before its first point. */
function valueAt(
  path: Series | undefined,
  symbol: string,
  cursors: Map<string, number>,
  now: number,
): number | undefined {
  if (path === undefined) return undefined;
  let at = cursors.get(symbol) ?? -1;
  if (at + 1 < path.length && path.ts[at + 1]! <= now) {
    while (at + 1 < path.length && path.ts[at + 1]! <= now) at++;
    cursors.set(symbol, at);
  }
  return at < 0 ? undefined : path.value[at]!;
}
