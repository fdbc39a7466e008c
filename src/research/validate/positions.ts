/**
 * What was held, and what the market did meanwhile, on the comparison grid: the input of the block permutation. Of the symbol
 * with the greatest volume; positions in its notional at the start. Pure.
 */
import type { BacktestResult } from '../../session/result.ts';

export interface HeldAndMarket {
  readonly symbol: string;
  readonly positions: Float64Array;
  readonly market: Float64Array;
}

/** Null without fills or without a price path. */
export function heldAndMarket({ fills, chart, period }: BacktestResult, sampleMs: number): HeldAndMarket | null {
  const volumes = new Map<string, number>();
  for (const { symbol, price, quantity } of fills) {
    volumes.set(symbol, (volumes.get(symbol) ?? 0) + Number(price) * Number(quantity));
  }
  const [symbol] = [...volumes].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const path = chart?.prices.find((price) => price.symbol === symbol);
  if (symbol === undefined || path === undefined) return null;
  const prices: readonly (readonly [number, number])[] =
    path.kind === 'line' ? path.points : path.rows.map(([ts, , , , close]) => [ts + path.intervalMs, close] as const);
  const count = Math.floor((period.to - period.from) / sampleMs);
  if (count < 2 || prices.length === 0) return null;
  const own = fills.filter((fill) => fill.symbol === symbol);
  const positions = new Float64Array(count);
  const market = new Float64Array(count);
  let held = 0;
  let fillAt = 0;
  let priceAt = 0;
  const priceTill = (ts: number): number => {
    while (priceAt + 1 < prices.length && prices[priceAt + 1]![0] <= ts) priceAt++;
    return prices[priceAt]![1];
  };
  for (let index = 0; index < count; index++) {
    const start = period.from + index * sampleMs;
    for (; fillAt < own.length && own[fillAt]!.ts <= start; fillAt++) {
      const { side, quantity } = own[fillAt]!;
      held += side === 'buy' ? Number(quantity) : -Number(quantity);
    }
    const before = priceTill(start);
    const after = priceTill(start + sampleMs);
    positions[index] = held;
    market[index] = after - before;
  }
  return { symbol, positions, market };
}
