/**
 * What one strategy made since the first start of its session: realised and open, less fees, with funding. From the
 * positions of the spine, so that the session, a replica of its journal and a restart have the same figure.
 */
import { realizedValue, type HeldPosition } from '../spine/positions.ts';

/** Undefined without a price. */
export interface KnownPrices {
  /** Mid of spot, mark price of a perpetual. */
  price(symbol: string): number | undefined;
  /** Reporting currency. */
  rate(currency: string): number | undefined;
}

/**
 * Reporting currency, at these prices; null where something has none. All of them sum up to the session's `netPnl`, but for a
 * fee in a third currency, which a position does not hold.
 */
export function strategyPnl(positions: readonly HeldPosition[], tag: string, prices: KnownPrices): number | null {
  let sum = 0;
  for (const held of positions) {
    if (held.strategy !== tag) continue;
    const worth = worthOf(held, prices);
    if (worth === null) return null;
    sum += worth;
  }
  return sum;
}

function worthOf(held: HeldPosition, prices: KnownPrices): number | null {
  const { instrument, position, costValue } = held;
  const rate = prices.rate(instrument.market === 'spot' ? instrument.quote : instrument.settle);
  const price = position.quantity.isZero() ? 0 : prices.price(instrument.symbol);
  if (rate === undefined || price === undefined) return null;
  const open = position.quantity.toNumber() * price * instrument.contractValue - costValue;
  return (realizedValue(held) + open) * rate;
}
