/**
 * Spot trades of the account that are not ours, such as a human's: each is booked once and exactly, as a labelled
 * adjustment of what it moved, so that balances stay explained to the last unit while somebody else trades beside us. A
 * trade that could still turn out to be ours waits until that is settled. Used by the reconciler.
 */
import type { VenueFill } from '../../model/fill.ts';
import { dec, type Decimal } from '../../model/money.ts';
import { skewOf, type MatchRules } from './match.ts';
import type { ReconcilerPort } from './port.ts';

export class ExternalTrades {
  /** Unix ms of the oldest trade that waits; readings must go on to reach back to it. */
  waitingFrom = Number.POSITIVE_INFINITY;
  readonly #port: ReconcilerPort;

  constructor(port: ReconcilerPort) {
    this.#port = port;
  }

  bookAll(fills: readonly VenueFill[], rules: MatchRules): void {
    this.waitingFrom = Number.POSITIVE_INFINITY;
    for (const fill of fills) {
      if (this.#couldBeOurs(fill, rules)) this.waitingFrom = Math.min(this.waitingFrom, fill.ts);
      else this.#book(fill);
    }
  }

  #book(fill: VenueFill): void {
    const instrument = this.#port.deps.instruments.find(fill.symbol);
    if (instrument === undefined || instrument.market !== 'spot') return;
    const quantity = dec(fill.quantity);
    const value = quantity.times(fill.price);
    const sign = fill.side === 'buy' ? 1 : -1;
    const moved = new Map([
      [instrument.base, quantity.times(sign)],
      [instrument.quote, value.times(-sign)],
    ]);
    const before = moved.get(fill.feeCurrency);
    moved.set(fill.feeCurrency, before === undefined ? dec(fill.fee).neg() : before.minus(fill.fee));
    for (const [currency, amount] of moved) this.#adjust(fill, currency, amount);
  }

  /** An order of unknown fate, or one on its way, may be the one that traded, unless it left later. */
  #couldBeOurs({ symbol, side, ts }: VenueFill, rules: MatchRules): boolean {
    return this.#port.liveOrders().some((order) => {
      const { state, request, sentAt } = order;
      if (state !== 'unknown' && state !== 'sending') return false;
      return request.symbol === symbol && request.side === side && ts >= sentAt - skewOf(order, rules);
    });
  }

  /** What an opening balance holds already is not booked again: it was still for `historyLagMs` before it was taken over. */
  #adjust(fill: VenueFill, currency: string, amount: Decimal): void {
    const port = this.#port;
    const openedAt = port.openedAt('balance', currency);
    if (amount.isZero() || openedAt === undefined) return;
    if (fill.ts < openedAt - port.deps.options.reconcile.historyLagMs / 2) return;
    const id = `external/${fill.symbol}/${fill.tradeId}/${fill.orderId}/${currency}`;
    if (!port.isBooked(id)) port.adjust(id, 'balance', currency, amount, 'trade of others');
  }
}
