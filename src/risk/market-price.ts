/** The price at which a market order counts, ticks. */
import type { Instrument } from '../model/instrument.ts';
import type { Side } from '../model/order.ts';
import type { MarketReader } from '../model/ports.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';

/** The best opposite price, else the mid, with a fraction; NaN without a market. */
export function marketTicks({ symbol, tick }: Instrument, side: Side, market: MarketReader): number {
  const best = market.best(symbol);
  const opposite = side === 'buy' ? best?.askTicks : best?.bidTicks;
  return opposite !== undefined && opposite > 0 ? opposite : (market.mid(symbol) ?? Number.NaN) / tick;
}

/** For a market order the mid at its decision; after a restart, a price of now. */
export function ticksOf({ isMarket, ticks, arrivalMid, instrument, side }: OwnOrder, market: MarketReader): number {
  if (!isMarket) return ticks;
  return Math.ceil(arrivalMid === null ? marketTicks(instrument, side, market) : arrivalMid / instrument.tick);
}
