/**
 * What others traded on the account is booked as theirs, each trade once (INV-F3, O31): not as some difference that was
 * taken over, which would hide what happened. Judged when both sides agree.
 */
import { RETURNED } from '../../../src/execution/intake/bookings.ts';
import { externalTradeKey } from '../../../src/spine/external-keys.ts';
import type { JournalRow } from '../../../src/model/entries/journal.ts';
import { dec, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import type { VenueSide } from './venue-side.ts';
import type { WrongClock } from './wrong-clock.ts';

/** What was traded before an opening is in it; so near to it, by clocks that differ, a trade is in it or booked beside it. */
const STILL_MS = 15_000;

/**
 * Empty when all is booked. `openedAt`: of openings, by true time, since the process may not know it. A trade just beside an
 * opening is in it or booked beside it, and what a wrong clock of the exchange dates to the other side of an opening cannot be
 * told from what that opening holds: of both the sum alone is demanded, by the law of balances. Where perpetuals alone are traded
 * spot is not compared at all: its trades move what settles, as profits do that the exchange does not name.
 */
export function othersNotBooked(
  rows: readonly JournalRow[],
  { venue, venueClock }: { readonly venue: VenueSide; readonly venueClock: WrongClock },
  openedAt: ReadonlyMap<string, number>,
): readonly string[] {
  if (venue.futures?.terms.isAlone === true) return [];
  const openedMs = new Map<string, number>();
  const openedAsOf = new Map<string, number>();
  const booked = new Set<string>();
  const sums = new Map<string, Decimal>();
  const add = (currency: string, amount: Decimal): void =>
    void sums.set(currency, (sums.get(currency) ?? ZERO).plus(amount));
  for (const { entry, ts } of rows) {
    if (entry.kind !== 'adjustment' || entry.subject !== 'balance') continue;
    if (entry.cause === 'opening') {
      openedMs.set(entry.name, openedAt.get(entry.id) ?? ts);
      openedAsOf.set(entry.name, entry.asOf ?? ts);
    } else if (entry.cause === 'trade of others') {
      booked.add(entry.id);
      add(entry.name, dec(entry.quantity).neg());
    } else if (entry.cause === RETURNED) add(entry.name, dec(entry.quantity).neg());
  }
  for (const trade of venue.truth.trades) {
    const { orderId, market, side, quantity, price, fee, feeCurrency, ts } = trade;
    if (market !== 'spot' || !venue.isStrangers(orderId)) continue;
    const sign = side === 'buy' ? 1 : -1;
    const moved = [
      ['BTC', dec(quantity).times(sign)],
      ['USDT', dec(quantity).times(price).times(-sign)],
      [feeCurrency, dec(fee).neg()],
    ] as const;
    for (const [currency, amount] of moved) {
      const opened = openedMs.get(currency);
      const asOf = openedAsOf.get(currency);
      if (opened === undefined || asOf === undefined) continue;
      const isBooked = booked.has(externalTradeKey(trade, currency));
      if (ts <= opened + STILL_MS && !isBooked) continue;
      if (ts <= opened - STILL_MS && venueClock.dateOf(ts) <= ts) continue;
      if (venueClock.dateOf(ts) > asOf - STILL_MS) add(currency, amount);
    }
  }
  return [...sums].flatMap(([currency, left]) =>
    left.isZero() ? [] : [`${currency}: ${left.toFixed()} of what others traded is not booked as theirs`],
  );
}
