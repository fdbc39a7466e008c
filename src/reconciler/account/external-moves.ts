/** Effects of a trade, and external orders as the risk checks count them. */
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import { dec, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { ExternalOrders } from '../../risk/facts.ts';
import { positionNameOf } from '../../spine/positions.ts';

/** Signed amounts by currency, or by position name. Empty for an unknown instrument. */
export function movesOf(fill: VenueFill, instruments: Pick<Instruments, 'find'>): ReadonlyMap<string, Decimal> {
  const instrument = instruments.find(fill.symbol);
  if (instrument === undefined) return new Map();
  const quantity = dec(fill.quantity).times(fill.side === 'buy' ? 1 : -1);
  // Profit and loss show in the settlement balance.
  if (instrument.market === 'derivative') return new Map([[positionNameOf(fill), quantity]]);
  const moved = new Map([
    [instrument.base, quantity],
    [instrument.quote, quantity.times(fill.price).neg()],
  ]);
  const before = moved.get(fill.feeCurrency);
  return moved.set(fill.feeCurrency, before === undefined ? dec(fill.fee).neg() : before.minus(fill.fee));
}

export function externalOrders(
  reports: readonly OrderReport[],
  instruments: Pick<Instruments, 'find'>,
): ExternalOrders {
  const buyLots = new Map<string, number>();
  const sellLots = new Map<string, number>();
  const locks = new Map<string, Decimal>();
  for (const report of reports) {
    const instrument = instruments.find(report.symbol);
    if (instrument === undefined) continue;
    const left = dec(report.quantity).minus(dec(report.filledQuantity));
    const lots = left.div(instrument.exactQuantity(1)).toNumber();
    const side = report.side === 'buy' ? buyLots : sellLots;
    side.set(report.symbol, (side.get(report.symbol) ?? 0) + lots);
    if (instrument.market !== 'spot') continue;
    const currency = report.side === 'buy' ? instrument.quote : instrument.base;
    const amount = report.side === 'buy' ? left.times(dec(report.price ?? '0')) : left;
    locks.set(currency, (locks.get(currency) ?? ZERO).plus(amount));
  }
  return { buyLots, sellLots, locks };
}
