/** A day of candles from the same price process, ending at the opening prices. */
import type { Random } from '../../model/ports.ts';
import { alignDown } from '../../model/time.ts';
import { MINUTE_MS, countTrade, emptyCandle } from '../core/market/candles.ts';
import type { SymbolMarket } from '../core/orders/order-record.ts';
import { FairPrices } from './fair-prices.ts';
import type { MarketStyle } from './venue-view.ts';

const MINUTES = 24 * 60;
const LOOKS_PER_MINUTE = 4;

export interface PastMarket {
  readonly market: SymbolMarket;
  readonly style: MarketStyle;
}

export function writePast(markets: readonly PastMarket[], opening: FairPrices, random: Random, now: number): void {
  const fair = new FairPrices(random.fork('path'));
  const paths = markets.map((): number[] => []);
  for (let look = 0; look < MINUTES * LOOKS_PER_MINUTE; look++) {
    fair.step(60 / LOOKS_PER_MINUTE);
    for (const [index, past] of markets.entries()) paths[index]?.push(fair.priceOf(past.market.instrument));
  }
  const begin = alignDown(now, MINUTE_MS) - MINUTES * MINUTE_MS;
  for (const [index, past] of markets.entries()) {
    const { instrument } = past.market;
    const path = paths[index] ?? [];
    const scale = opening.priceOf(instrument) / (path[path.length - 1] ?? 1);
    const scaled = path.map((price) => price * scale);
    writeMarket(past, scaled, begin, random.fork(instrument.symbol));
  }
}

function writeMarket({ market, style }: PastMarket, path: readonly number[], begin: number, random: Random): void {
  const { tick, lot } = market.instrument;
  const ticks = path.map((price) => Math.max(1, Math.round(price / tick)));
  let open = ticks[0] ?? 1;
  for (let minute = 0; minute < MINUTES; minute++) {
    const candle = emptyCandle(begin + minute * MINUTE_MS, open);
    for (let look = 0; look < LOOKS_PER_MINUTE; look++) {
      const price = ticks[minute * LOOKS_PER_MINUTE + look] ?? open;
      const lots = Math.max(1, Math.round((style.size * style.rate * 15 * (0.3 + 1.4 * random.next())) / lot));
      countTrade(candle, price, lots, random.next() < 0.5);
    }
    market.candles.append(candle);
    open = candle.close;
  }
  market.lastTicks = open;
}
