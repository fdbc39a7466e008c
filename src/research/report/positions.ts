/** Positions by symbol from fills. Base fees are deducted; less than a lot is none. */
import { ZERO, dec, type Decimal } from '../../model/numbers/money.ts';
import { positionChange, positionKey, type FillValue } from '../../statistics/valuation.ts';

export interface PositionSteps {
  readonly symbol: string;
  /** Absent: all strategies together. */
  readonly strategy?: string;
  /** Signed quantity from each time on; hedge sides summed. */
  readonly steps: readonly (readonly [ts: number, quantity: number])[];
}

export function positionSteps(values: readonly FillValue[]): readonly PositionSteps[] {
  const sides = new Map<string, Decimal>();
  const held = new Map<string, Decimal>();
  const symbols = new Map<string, [number, number][]>();
  for (const value of values) {
    const { fill, symbol } = value;
    const key = positionKey(fill);
    const before = sides.get(key) ?? ZERO;
    const after = before.plus(positionChange(value));
    sides.set(key, after);
    const net = (held.get(fill.symbol) ?? ZERO).plus(after).minus(before);
    held.set(fill.symbol, net);
    const steps = symbols.get(fill.symbol) ?? [];
    symbols.set(fill.symbol, steps);
    steps.push([fill.ts, net.abs().lt(dec(symbol.lotSize)) ? 0 : net.toNumber()]);
  }
  return [...symbols].map(([symbol, steps]) => ({ symbol, steps }));
}

/** Per strategy, or together when there is one. */
export function strategySteps(values: readonly FillValue[]): readonly PositionSteps[] {
  const byStrategy = Map.groupBy(values, ({ fill }) => fill.strategy);
  if (byStrategy.size < 2) return positionSteps(values);
  return [...byStrategy].flatMap(([strategy = '', own]) => positionSteps(own).map((held) => ({ ...held, strategy })));
}

export interface TimeShares {
  readonly symbol: string;
  readonly strategy?: string;
  /** Fractions of the period; they add up to 1. */
  readonly long: number;
  readonly short: number;
  readonly flat: number;
}

export function timeShares(positions: readonly PositionSteps[], from: number, to: number): readonly TimeShares[] {
  const span = to - from;
  if (!(span > 0)) return [];
  return positions.map(({ symbol, strategy, steps }) => {
    let long = 0;
    let short = 0;
    for (const [index, [ts, quantity]] of steps.entries()) {
      const until = Math.min(to, steps[index + 1]?.[0] ?? to);
      const time = Math.max(0, until - Math.max(from, ts)) / span;
      if (quantity > 0) long += time;
      if (quantity < 0) short += time;
    }
    const flat = Math.max(0, 1 - long - short);
    return { symbol, ...(strategy === undefined ? {} : { strategy }), long, short, flat };
  });
}
