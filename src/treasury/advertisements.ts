/**
 * `advertise`: brings a ref's advertisement to its wanted terms, one request at a time:
 *
 *   none ─advertise─▶ as wanted          active, other terms ─deactivate─▶ edit ─▶ activate
 *   hidden, same terms ─activate─▶       active, same terms: nothing
 *
 * Only the next `advertise` refills what was traded. While a request of the ref is unresolved nothing is sent, so no
 * advertisement is doubled.
 */
import type { AdvertiseAction } from '../model/trading/action.ts';
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { MoneyRequest } from '../model/funds/money-commands.ts';
import { dec, decimalText } from '../model/numbers/money.ts';
import type { Advertisement, AdvertisementTerms } from '../model/funds/p2p.ts';
import type { MoneyIntents } from './money-intents.ts';
import { sameMethods, type P2pBook } from './p2p-book.ts';
import type { TreasuryPort } from './port.ts';

interface Wish {
  readonly tag: string;
  readonly ref: string;
  /** Null: hide it. */
  readonly offer: (Pick<AdvertiseAction, 'marketId' | 'side'> & { readonly terms: AdvertisementTerms }) | null;
  readonly active: boolean;
  /** Its amount was compared once. A smaller one since then comes from trades. */
  isMade: boolean;
}

export class Advertisements {
  readonly #port: TreasuryPort;
  readonly #hand: MoneyIntents['send'];
  readonly #book: P2pBook;
  /** By `<strategy>/<ref>`. */
  readonly #wishes = new Map<string, Wish>();

  /** `send` also counts the message. */
  constructor(port: TreasuryPort, send: MoneyIntents['send'], book: P2pBook) {
    this.#port = port;
    this.#hand = send;
    this.#book = book;
  }

  wish(tag: string, action: AdvertiseAction): void {
    const { ref, marketId, side, active = true } = action;
    this.#want({ tag, ref, offer: { marketId, side, terms: termsOf(action) }, active, isMade: false });
  }

  /** Without a tag: those of all strategies. */
  withdraw(tag?: string): void {
    for (const slot of this.#port.slots.keys()) {
      if (tag !== undefined && slot !== tag) continue;
      for (const [key, wish] of this.#wishes) if (wish.tag === slot) this.#wishes.delete(key);
      for (const ref of this.#refsToHide(slot))
        this.#want({ tag: slot, ref, offer: null, active: false, isMade: true });
    }
    this.#port.workWanted = true;
  }

  busy(tag: string): boolean {
    return this.#wishes.size > 0 && [...this.#wishes.values()].some((wish) => wish.tag === tag);
  }

  /** False once it shall be hidden. */
  wants(tag: string, ref: string | undefined): boolean {
    return (this.#wishes.get(`${tag}/${ref}`)?.offer ?? null) !== null;
  }

  work(): void {
    if (this.#wishes.size === 0) return;
    for (const [key, wish] of this.#wishes) if (this.#step(wish)) this.#wishes.delete(key);
  }

  #want(wish: Wish): void {
    this.#wishes.set(`${wish.tag}/${wish.ref}`, wish);
    this.#port.workWanted = true;
  }

  /** An unresolved request may make its advertisement active. */
  *#refsToHide(tag: string): Iterable<string> {
    const { money } = this.#port.state;
    for (const { strategy, ref, request } of money.unresolved())
      if (strategy === tag && ref !== undefined && request.kind !== 'transfer') yield ref;
    for (const [ref, id] of money.advertisementsOf(tag)) {
      const row = this.#book.advertisements.get(id);
      if (row === undefined || row.status === 'active') yield ref;
    }
  }

  /** True when done. */
  #step(wish: Wish): boolean {
    const { money } = this.#port.state;
    const { tag, ref } = wish;
    if (!this.#book.known || money.isBusy(tag, ref)) return false;
    const row = this.#book.advertisements.get(money.advertisementOf(tag, ref) ?? '');
    const request = nextRequest(wish, row);
    if (request === null) return true;
    const denial = this.#fullDenial(request, row) ?? this.#send(wish, request);
    if (denial === null) return false;
    this.#port.deny(tag, 'advertise', denial, undefined, ref);
    return true;
  }

  /** Set when the exchange accepts no further one of this side. */
  #fullDenial(request: MoneyRequest, row: Advertisement | undefined): Denied | null {
    if (request.kind !== 'advertise' && request.kind !== 'activateAdvertisement') return null;
    const { marketId, side } = request.kind === 'advertise' ? request : { ...row?.market, side: row?.side };
    const market = this.#book.markets.get(marketId ?? '');
    if (market === undefined || side === undefined) return null;
    const most = side === 'sell' ? market.activeSellMax : market.activeBuyMax;
    const active = this.#book.activeCount(side, market.marketId);
    if (active < most) return null;
    const what = `${active} ${side} advertisements of ${market.marketId} are active, ${most} may be`;
    return denied('advertisement_limit', what);
  }

  #send(wish: Wish, request: MoneyRequest): Denied | null {
    const { tag, ref } = wish;
    return this.#hand({ request, strategy: tag, ref, before: null }, ({ kind }) => {
      // The advertisement that the exchange shows after an edit may differ from the edit.
      if (kind === 'accepted' && request.kind === 'editAdvertisement') wish.isMade = true;
      // A refusal must end the wish. Otherwise it would be sent without end.
      const key = `${tag}/${ref}`;
      if (kind !== 'accepted' && kind !== 'unknown' && this.#wishes.get(key) === wish) this.#wishes.delete(key);
      this.#port.workWanted = true;
    });
  }
}

/** Null when it is as wanted. Notes in the wish that its amount was compared. */
function nextRequest(wish: Wish, row: Advertisement | undefined): MoneyRequest | null {
  const { offer, active } = wish;
  if (row === undefined || row.status === 'canceled' || row.status === 'completed') {
    if (offer === null || !active || wish.isMade) return null;
    wish.isMade = true;
    const { marketId, side, terms } = offer;
    return { kind: 'advertise', marketId, side, ...terms };
  }
  const { advertisementId, status, market } = row;
  const isActive = status === 'active';
  if (offer !== null && (market.marketId !== offer.marketId || row.side !== offer.side))
    return { kind: 'deleteAdvertisement', advertisementId };
  const change = offer === null || wish.isMade ? null : changeOf(offer.terms, row);
  if (change !== null && !isActive) return { kind: 'editAdvertisement', advertisementId, ...change };
  if (change === null) wish.isMade = true;
  if (change === null && isActive === active) return null;
  return { kind: isActive ? 'deactivateAdvertisement' : 'activateAdvertisement', advertisementId };
}

function termsOf({
  price,
  amount,
  minLimit,
  maxLimit,
  paymentMethodIds,
  comment,
}: AdvertiseAction): AdvertisementTerms {
  return Object.freeze({
    price: decimalText(price),
    amount: decimalText(amount),
    minLimit: decimalText(minLimit),
    maxLimit: decimalText(maxLimit),
    paymentMethodIds: [...paymentMethodIds],
    ...(comment === undefined ? {} : { comment }),
  });
}

/** The terms that differ; null when none does. */
function changeOf(terms: AdvertisementTerms, row: Advertisement): Partial<AdvertisementTerms> | null {
  const { price, amount, minLimit, maxLimit, comment, paymentMethodIds } = terms;
  const change = {
    ...(dec(price).eq(row.price) ? {} : { price }),
    ...(dec(amount).eq(row.availableAmount) ? {} : { amount }),
    ...(dec(minLimit).eq(row.minLimit) ? {} : { minLimit }),
    ...(dec(maxLimit).eq(row.maxLimit) ? {} : { maxLimit }),
    ...(comment === undefined || comment === row.comment ? {} : { comment }),
    ...(sameMethods(paymentMethodIds, row) ? {} : { paymentMethodIds }),
  };
  return Object.keys(change).length === 0 ? null : change;
}
