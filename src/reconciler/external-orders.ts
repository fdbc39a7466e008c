/** External orders as the risk checks count them. */
import { dec, ZERO, type Decimal } from '../model/money.ts';
import type { OrderReport } from '../model/order.ts';
import type { ReconcilerPort } from './port.ts';

export function externalOrders(
  reports: readonly OrderReport[],
  port: ReconcilerPort,
): Parameters<ReconcilerPort['external']>[0] {
  const buyLots = new Map<string, number>();
  const sellLots = new Map<string, number>();
  const locks = new Map<string, Decimal>();
  for (const report of reports) {
    const instrument = port.deps.instruments.find(report.symbol);
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
