/**
 * `advertise`: the advertisement that should stand under a ref, reached with the fewest requests and one at a time:
 *
 *   none ─advertise─▶ as wanted          active, other terms ─deactivate─▶ edit ─▶ activate
 *   hidden, same terms ─activate─▶       active, same terms: nothing
 *
 * Once it stands as wanted the desk lets it be: what is traded away is not refilled until the next `advertise` of the
 * ref. While something of the ref is unknown nothing is sent, so no advertisement is ever doubled.
 */
import type { AdvertiseAction } from '../../model/action.ts';
import { denied, type Denied } from '../../model/deny-reason.ts';
import type { Spread } from '../../model/p2p-price-rule.ts';
import type { Advertisement, AdvertisementTerms } from '../../model/p2p.ts';
import type { MoneyRequest } from '../../model/treasury.ts';
import type { Core, Desk } from '../core.ts';
import type { StrategySlot } from '../executor-types.ts';
import { changeOf, termsDenial, termsOf } from './advertisement-terms.ts';
import type { MoneyDesk } from './desk.ts';
import type { P2pBook } from './p2p-book.ts';
import { p2pNotAllowed } from './p2p-permission.ts';

interface Wish {
  readonly tag: string;
  readonly ref: string;
  /** Null: only to be hidden. */
  readonly offer: Pick<AdvertiseAction, 'marketId' | 'side'> | null;
  readonly terms: AdvertisementTerms | null;
  readonly active: boolean;
  /** Its amount was compared once: from then on a smaller one has been traded. */
  isMade: boolean;
}

export class AdvertisementDesk implements Desk {
  readonly #core: Core;
  readonly #desk: MoneyDesk;
  readonly #book: P2pBook;
  readonly #spreadOf: (symbol: string) => Spread | null;
  /** What is not reached yet; one a ref. */
  readonly #wishes = new Map<string, Wish>();

  constructor(core: Core, desk: MoneyDesk, book: P2pBook, spreadOf: (symbol: string) => Spread | null) {
    this.#core = core;
    this.#desk = desk;
    this.#book = book;
    this.#spreadOf = spreadOf;
  }

  advertise(slot: StrategySlot, action: AdvertiseAction): void {
    const { tag } = slot;
    const { ref, marketId, side, active = true } = action;
    const denial = this.#denial(slot, action);
    if (denial !== null) {
      this.#core.deny(tag, 'advertise', denial, undefined, ref);
      return;
    }
    const wish = { tag, ref, offer: { marketId, side }, terms: termsOf(action), active, isMade: false };
    this.#wishes.set(`${tag}/${ref}`, wish);
    this.#core.workWanted = true;
  }

  /** Hides what a strategy, or everybody, shows. */
  withdraw(tag?: string): void {
    for (const slot of this.#core.slots.keys()) {
      if (tag !== undefined && slot !== tag) continue;
      for (const [ref, id] of this.#core.state.money.advertisementsOf(slot)) {
        const status = this.#book.advertisements.get(id)?.status;
        const key = `${slot}/${ref}`;
        if (status !== 'active' && !this.#wishes.has(key)) continue;
        this.#wishes.set(key, { tag: slot, ref, offer: null, terms: null, active: false, isMade: true });
      }
      for (const [key, wish] of this.#wishes) if (wish.tag === slot && wish.offer !== null) this.#wishes.delete(key);
    }
    this.#core.workWanted = true;
  }

  /** Whether something of the strategy is not hidden yet that should be. */
  busy(tag: string): boolean {
    for (const wish of this.#wishes.values()) if (wish.tag === tag) return true;
    return false;
  }

  work(): void {
    if (this.#wishes.size === 0) return;
    for (const [key, wish] of this.#wishes) if (this.#step(wish)) this.#wishes.delete(key);
  }

  #denial(slot: StrategySlot, action: AdvertiseAction): Denied | null {
    const core = this.#core;
    const { tag, limits } = slot;
    const { marketId, active = true } = action;
    if (limits.p2p !== true) return p2pNotAllowed(tag);
    if (core.stopping.has(tag)) return denied('stopping', `${tag} is stopping`);
    const market = this.#book.markets.get(marketId);
    if (market === undefined) {
      const reason = this.#book.markets.size === 0 ? 'no_market' : 'unknown_symbol';
      return denied(reason, `the P2P pair ${marketId} is not known`, 'marketId');
    }
    if (!active) return null;
    return termsDenial(action, market, this.#spreadOf) ?? core.gates.denial('', null) ?? core.kill.denial(false);
  }

  /** True when there is nothing left to do. */
  #step(wish: Wish): boolean {
    const { money } = this.#core.state;
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
      wish.isMade = true;
      return this.#send(wish, { kind: 'editAdvertisement', advertisementId, ...change });
    }
    wish.isMade = true;
    if ((status === 'active') === wish.active) return true;
    if (!wish.active) return this.#send(wish, { kind: 'deactivateAdvertisement', advertisementId });
    const { market, side } = row;
    if (this.#isFull(wish, { marketId: market.marketId, side })) return true;
    return this.#send(wish, { kind: 'activateAdvertisement', advertisementId });
  }

  /** Denies when the exchange would not take one more of this side. */
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
    this.#core.deny(tag, 'advertise', reason, undefined, ref);
    return true;
  }

  /** False while the answer is awaited; true when the wish is given up. */
  #send(wish: Wish, request: MoneyRequest): boolean {
    const { tag, ref } = wish;
    this.#core.risk.countMessage(tag, this.#core.now());
    const lane = request.kind === 'deactivateAdvertisement' ? 'cancel' : 'create';
    const sent = this.#desk.send({ request, strategy: tag, ref, lane, before: null }, (outcome) => {
      // What is unknown is waited for; anything else ends the wish, or it would be asked for again and again.
      if (outcome.kind !== 'accepted' && outcome.kind !== 'unknown') this.#giveUp(wish);
      this.#core.workWanted = true;
    });
    if (sent.kind === 'sent') return false;
    this.#core.deny(tag, 'advertise', sent.denied, undefined, ref);
    return true;
  }

  #giveUp(wish: Wish): void {
    const key = `${wish.tag}/${wish.ref}`;
    if (this.#wishes.get(key) === wish) this.#wishes.delete(key);
  }
}
