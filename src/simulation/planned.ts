/**
 * What an order would take now, as its desk must know before it is admitted. Used by `exchange.ts`.
 */
import { ZERO } from '../model/money.ts';
import type { Walk } from './desk.ts';
import type { OrderRecord } from './order-record.ts';
import type { SymbolVenue } from './symbol-venue.ts';

const NOTHING: Walk = { cost: ZERO, lots: 0 };

/** What the order would take at once, where its limit does not bound the value: a market order, a sell of a perpetual. */
export function walkOf(symbol: SymbolVenue, { working, instrument, request }: OrderRecord): Walk {
  if (request.type === 'limit' && (request.side === 'buy' || symbol.perpetual === null)) return NOTHING;
  const walk = { cost: ZERO, lots: 0 };
  symbol.engine.plan(working.side, working.ticks, working.lots, (ticks, lots) => {
    walk.cost = walk.cost.plus(instrument.exactNotional(ticks, lots));
    walk.lots += lots;
  });
  return walk;
}
