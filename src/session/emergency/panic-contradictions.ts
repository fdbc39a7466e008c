/**
 * Trades that the list of own trades reports otherwise than they are booked, for `panic --flatten`. It closes only what is
 * held by both, and names the rest.
 */
import { ZERO, type Decimal } from '../../model/numbers/money.ts';
import { contradictionText } from '../../risk/gates.ts';
import { heldMore } from '../../spine/orders/fill-check.ts';
import type { PanicBook } from './panic-book.ts';
import type { Holding } from './panic-ledger.ts';
import type { Problems } from './panic.ts';

/** Spot alone: on perpetuals the exchange lets no reduce-only order close too much. */
export function agreedBy({ record, state }: PanicBook, held: readonly Holding[], unread: Problems): readonly Holding[] {
  let agreed = held;
  for (const entry of state.contradicted.values()) {
    const order = state.orders.byIntent(entry.intentId);
    const more = heldMore(entry, order?.instrument.base);
    if (entry.fill.market !== 'spot' || more.isZero()) continue;
    unread.add(
      `${record.id}: ${contradictionText(state, entry)}: what is held by both is closed; say which with \`tidewire plan\``,
    );
    agreed = agreed.map((one) => {
      const isConcerned = one.name === entry.fill.symbol && (order?.strategy ?? one.strategy) === one.strategy;
      return isConcerned ? { ...one, quantity: towardsZero(one.quantity, more) } : one;
    });
  }
  return agreed.filter(({ quantity }) => !quantity.isZero());
}

/** `change` as far as it makes `quantity` smaller. */
function towardsZero(quantity: Decimal, change: Decimal): Decimal {
  if (quantity.isNegative() === change.isNegative()) return quantity;
  return change.abs().gte(quantity.abs()) ? ZERO : quantity.plus(change);
}
