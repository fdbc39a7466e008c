/**
 * `advertise`: brings a ref's advertisement to its wanted terms, one request at a time:
 *
 *   none ─advertise─▶ as wanted          active, other terms ─deactivate─▶ edit ─▶ activate
 *   hidden, same terms ─activate─▶       active, same terms: nothing
 *
 * What is traded away is refilled by the next `advertise` only. While something of the ref is unknown nothing is
 * sent, so no advertisement is doubled.
 */
import type { AdvertiseAction } from '../model/action.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import type { Spread } from '../model/p2p-price-rule.ts';
import type { Advertisement, AdvertisementTerms } from '../model/p2p.ts';
import type { MoneyRequest } from '../model/money-commands.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { changeOf, termsDenial, termsOf } from './advertisement-terms.ts';
import type { MoneyIntents } from './money-intents.ts';
import type { P2pBook } from './p2p-book.ts';
import { p2pDenial } from './p2p-trades.ts';
import { blockedBy, type TreasuryPort } from './port.ts';

interface Wish {
  readonly tag: string;
  readonly ref: string;
  /** Null: only to be hidden. */
  readonly offer: Pick<AdvertiseAction, 'marketId' | 'side'> | null;
  readonly terms: AdvertisementTerms | null;
  readonly active: boolean;
  /** Its amount was compared once; less since then means trades. */
  isMade: boolean;
}

export class AdvertisementPlanner {
  readonly #port: TreasuryPort;
  readonly #hand: MoneyIntents['send'];
  readonly #book: P2pBook;
  readonly #spreadOf: (symbol: string) => Spread | null;
  /** By `<strategy>/<ref>`. */
  readonly #wishes = new Map<string, Wish>();

  /** `send` also counts the message. */
  constructor(
    port: TreasuryPort,
    send: MoneyIntents['send'],
    book: P2pBook,
    spreadOf: (symbol: string) => Spread | null,
  ) {
    this.#port = port;
    this.#hand = send;
    this.#book = book;
    this.#spreadOf = spreadOf;
  }

  advertise(slot: StrategySlot, action: AdvertiseAction): Denied | null {
    const { tag } = slot;
    const { ref, marketId, side, active = true } = action;
    const denial = this.#denial(slot, action);
    if (denial !== null) return denial;
    const wish = { tag, ref, offer: { marketId, side }, terms: termsOf(action), active, isMade: false };
    this.#wishes.set(`${tag}/${ref}`, wish);
    this.#port.workWanted = true;
    return null;
  }

  /** Without a tag: of all strategies. */
  withdraw(tag?: string): void {
    for (const slot of this.#port.slots.keys()) {
      if (tag !== undefined && slot !== tag) continue;
      for (const [key, wish] of this.#wishes) if (wish.tag === slot) this.#wishes.delete(key);
      for (const ref of this.#refsToHide(slot))
        this.#wishes.set(`${slot}/${ref}`, { tag: slot, ref, offer: null, terms: null, active: false, isMade: true });
    }
    this.#port.workWanted = true;
  }

  busy(tag: string): boolean {
    for (const wish of this.#wishes.values()) if (wish.tag === tag) return true;
    return false;
  }

  work(): void {
    if (this.#wishes.size === 0) return;
    for (const [key, wish] of this.#wishes) if (this.#step(wish)) this.#wishes.delete(key);
  }

  #denial(slot: StrategySlot, action: AdvertiseAction): Denied | null {
    const { tag } = slot;
    const { marketId, active = true } = action;
    const notAllowed = p2pDenial(slot);
    if (notAllowed !== null) return notAllowed;
    if (this.#port.stopping.has(tag)) return denied('stopping', `${tag} is stopping`);
    const market = this.#book.markets.get(marketId);
    if (market === undefined) {
      const reason = this.#book.markets.size === 0 ? 'no_market' : 'unknown_symbol';
      return denied(reason, `the P2P pair ${marketId} is not known`, 'marketId');
    }
    if (!active) return null;
    return termsDenial(action, market, this.#spreadOf) ?? blockedBy(this.#port);
  }

  /** Whatever is unresolved may make its advertisement active. */
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
    const { tag, ref, offer, terms, active } = wish;
    if (!this.#book.known || money.isBusy(tag, ref)) return false;
    const id = money.advertisementOf(tag, ref);
    const row = id === undefined ? undefined : this.#book.advertisements.get(id);
    const isOver = row === undefined || row.status === 'canceled' || row.status === 'completed';
    if (isOver) {
      if (offer === null || terms === null || !active || wish.isMade) return true;
      return this.#create(wish, offer, terms);
    }
    const isOther = offer !== null && (row.market.marketId !== offer.marketId || row.side !== offer.side);
    if (isOther) return this.#send(wish, { kind: 'deleteAdvertisement', advertisementId: row.advertisementId });
    return this.#bring(wish, row);
  }

  #create(wish: Wish, offer: NonNullable<Wish['offer']>, terms: AdvertisementTerms): boolean {
    if (this.#isFull(wish, offer)) return true;
    wish.isMade = true;
    return this.#send(wish, { kind: 'advertise', ...offer, ...terms });
  }

  #bring(wish: Wish, row: Advertisement): boolean {
    const { advertisementId, status } = row;
    const change = wish.terms === null || wish.isMade ? null : changeOf(wish.terms, row);
    if (change !== null) {
      if (status === 'active') return this.#send(wish, { kind: 'deactivateAdvertisement', advertisementId });
      return this.#send(wish, { kind: 'editAdvertisement', advertisementId, ...change });
    }
    wish.isMade = true;
    if ((status === 'active') === wish.active) return true;
    if (!wish.active) return this.#send(wish, { kind: 'deactivateAdvertisement', advertisementId });
    const { market, side } = row;
    if (this.#isFull(wish, { marketId: market.marketId, side })) return true;
    return this.#send(wish, { kind: 'activateAdvertisement', advertisementId });
  }

  /** Denies when the exchange takes no further one of this side. */
  #isFull({ tag, ref }: Wish, { marketId, side }: NonNullable<Wish['offer']>): boolean {
    const market = this.#book.markets.get(marketId);
    if (market === undefined) return false;
    const most = side === 'sell' ? market.activeSellMax : market.activeBuyMax;
    let active = 0;
    for (const row of this.#book.advertisements.values())
      if (row.status === 'active' && row.side === side && row.market.marketId === marketId) active++;
    if (active < most) return false;
    const reason = denied(
      'advertisement_limit',
      `${active} ${side} advertisements of ${marketId} are active, ${most} may be`,
    );
    this.#port.deny(tag, 'advertise', reason, undefined, ref);
    return true;
  }

  /** False while the answer is awaited. */
  #send(wish: Wish, request: MoneyRequest): boolean {
    const { tag, ref } = wish;
    const port = this.#port;
    const denial = this.#hand({ request, strategy: tag, ref, before: null }, (outcome) => {
      // What the exchange shows of an edit may differ from what it took.
      if (outcome.kind === 'accepted' && request.kind === 'editAdvertisement') wish.isMade = true;
      // A refusal must end the wish, or it would be sent again and again.
      if (outcome.kind !== 'accepted' && outcome.kind !== 'unknown') this.#giveUp(wish);
      port.workWanted = true;
    });
    if (denial === null) return false;
    port.deny(tag, 'advertise', denial, undefined, ref);
    return true;
  }

  #giveUp(wish: Wish): void {
    const key = `${wish.tag}/${wish.ref}`;
    if (this.#wishes.get(key) === wish) this.#wishes.delete(key);
  }
}
