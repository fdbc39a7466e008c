/**
 * What an order would take now, as its desk must know before it is admitted. Used by `exchange.ts`.
 */
import type { PlannedFill } from './desk.ts';
import type { OrderRecord } from './order-record.ts';
import type { SymbolVenue } from './symbol-venue.ts';

/** What the order would take at once, where its limit does not bound the value: a market order, a sell of a perpetual. */
export function planOf(symbol: SymbolVenue, record: OrderRecord): readonly PlannedFill[] {
  const { working, instrument, request } = record;
  const planned: PlannedFill[] = [];
  if (request.type === 'limit' && (request.side === 'buy' || symbol.perpetual === null)) return planned;
  symbol.engine.plan(working.side, working.ticks, working.lots, (ticks, lots) => {
    planned.push({ price: instrument.exactPrice(ticks), quantity: instrument.exactQuantity(lots) });
  });
  return planned;
}
