/** Mids at which nothing can be liquidated, so that they need no look. */
import type { MarginAccount } from '../../clearing/perpetual/margin-account.ts';
import type { OrderRecord } from '../venue/order-record.ts';
import type { SymbolVenue } from '../venue/symbol-venue.ts';

/** Half ticks. */
export interface SafeMids {
  readonly from: number;
  readonly to: number;
}

const EVERY: SafeMids = { from: -Infinity, to: Infinity };
/** Share of the mark that is tried. */
const REACH = 0.02;

/** Around the present mid, as long as money, orders and positions stay. The only perpetual is that of `symbol`. */
export function safeMids(
  { marksByMid, markNumber, engine }: SymbolVenue,
  margin: MarginAccount<OrderRecord>,
): SafeMids {
  if (!marksByMid || margin.books.every(({ open }) => open.length === 0)) return EVERY;
  const [from, to] = [markNumber * (1 - REACH), markNumber * (1 + REACH)];
  // Half of it, as marks are rounded.
  const reach = margin.isSafeBetween(from, to) ? REACH / 2 : 0;
  return { from: engine.midHalfTicks * (1 - reach), to: engine.midHalfTicks * (1 + reach) };
}
