/**
 * Trades that the list of own trades reports otherwise than they are booked, for `panic --flatten`. It closes only what is
 * held by both, and names the rest.
 */
import { dec, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { ContradictedEntry } from '../../model/entries/journal.ts';
import { contradictionText } from '../../risk/gates.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { PanicBook } from './panic-book.ts';
import type { Holding } from './panic-ledger.ts';
import type { Problems } from './panic.ts';

/** Spot alone: on perpetuals the exchange lets no reduce-only order close too much. */
export function agreedBy({ record, state }: PanicBook, held: readonly Holding[], unread: Problems): readonly Holding[] {
  let agreed = held;
  for (const entry of state.contradicted.values()) {
    const more = heldMore(entry, state);
    if (entry.fill.market !== 'spot' || more.isZero()) continue;
    unread.add(
      `${record.id}: ${contradictionText(state, entry)}: what is held by both is closed; say which with \`tidewire plan\``,
    );
    const strategy = state.orders.byIntent(entry.intentId)?.strategy;
    agreed = agreed.map((one) => {
      const isConcerned = one.name === entry.fill.symbol && (strategy ?? one.strategy) === one.strategy;
      return isConcerned ? { ...one, quantity: towardsZero(one.quantity, more) } : one;
    });
  }
  return agreed.filter(({ quantity }) => !quantity.isZero());
}

/** What is held by the list beyond what is held by the books. */
function heldMore({ intentId, fill, booked }: ContradictedEntry, { orders }: StateView): Decimal {
  const quantity = dec(fill.quantity).minus(booked.quantity);
  const more = fill.side === 'buy' ? quantity : quantity.neg();
  const base = orders.byIntent(intentId)?.instrument.spec.base;
  return fill.feeCurrency === base ? more.minus(dec(fill.fee).minus(booked.fee)) : more;
}

/** `change` as far as it makes `quantity` smaller. */
function towardsZero(quantity: Decimal, change: Decimal): Decimal {
  if (quantity.isNegative() === change.isNegative()) return quantity;
  return change.abs().gte(quantity.abs()) ? ZERO : quantity.plus(change);
}
