/**
 * P2P advertisements. A seller must own the amount on `p2p` when the advertisement becomes visible (assumed); each
 * trade locks its part.
 */
import { limits } from '../../../exchange/interface/limits.ts';
import {
  advertisementTransitions,
  nextState,
  stepTo,
  type AdvertisementStatus,
  type AdvertisementTrigger,
} from '../../../exchange/interface/states.ts';
import type { Decimal } from '../../../model/numbers/money.ts';
import { refuse, refuseCover, type Refusal } from '../refusal.ts';
import type { User } from '../identity/users.ts';
import type { Advertisement, AdvertisementTerms, P2pSide } from './advertisement.ts';
import type { P2pMarket } from './markets.ts';
import { priceBounds } from '../../../model/funds/p2p-price-rule.ts';
import type { P2pParts } from './p2p-parts.ts';

export interface NewAdvertisement extends AdvertisementTerms {
  readonly market: P2pMarket;
  readonly side: P2pSide;
}

type Offer = Pick<Advertisement, 'maker' | 'market' | 'side'>;

export class Advertisements {
  readonly #byId = new Map<string, Advertisement>();
  readonly #p2p: P2pParts;

  constructor(p2p: P2pParts) {
    this.#p2p = p2p;
  }

  get all(): readonly Advertisement[] {
    return [...this.#byId.values()];
  }

  find(advertisementId: string): Advertisement | undefined {
    return this.#byId.get(advertisementId);
  }

  ownedBy(maker: User): readonly Advertisement[] {
    return this.all.filter((advertisement) => advertisement.maker === maker);
  }

  create(maker: User, { market, side, ...terms }: NewAdvertisement, now: number): Advertisement | Refusal {
    const offer = { maker, market, side };
    const refusal = this.#doubtVisible(offer, terms, terms.amount);
    if (refusal !== undefined) return refusal;
    const advertisementId = this.#p2p.ids.next();
    const advertisement: Advertisement = {
      advertisementId,
      idNumber: String(this.#byId.size + 1),
      ...offer,
      createdAt: now,
      trades: [],
      terms,
      available: terms.amount,
      offers: 1,
      status: stepTo(advertisementTransitions, null, 'create'),
      updatedAt: now,
    };
    this.#byId.set(advertisementId, advertisement);
    this.touch(advertisement, now);
    return advertisement;
  }

  /** `amount` is offered from now on. */
  edit(
    maker: User,
    advertisement: Advertisement,
    change: Partial<AdvertisementTerms>,
    now: number,
  ): Refusal | undefined {
    if (advertisement.maker !== maker) return notOwner(advertisement);
    if (advertisement.status !== 'deactivated') return illegal(advertisement, 'edit');
    const terms = { ...advertisement.terms, ...change };
    const refusal = this.#doubtTerms(advertisement.market, terms);
    if (refusal !== undefined) return refusal;
    advertisement.terms = terms;
    if (change.amount !== undefined) {
      advertisement.available = change.amount;
      advertisement.offers++;
    }
    this.touch(advertisement, now);
    return undefined;
  }

  move(
    maker: User,
    advertisement: Advertisement,
    trigger: 'activate' | 'deactivate' | 'delete',
    now: number,
  ): Refusal | undefined {
    if (advertisement.maker !== maker) return notOwner(advertisement);
    const status = nextState(advertisementTransitions, advertisement.status, trigger);
    if (status === undefined) return illegal(advertisement, trigger);
    const refusal = this.#doubtMove(advertisement, trigger);
    if (refusal !== undefined) return refusal;
    advertisement.status = status;
    this.touch(advertisement, now);
    return undefined;
  }

  touch(advertisement: Advertisement, now: number): void {
    advertisement.updatedAt = now;
    this.#p2p.announce({ kind: 'advertisement', advertisement });
  }

  #doubtMove(advertisement: Advertisement, trigger: AdvertisementTrigger): Refusal | undefined {
    const { market, terms, available } = advertisement;
    if (trigger === 'deactivate') return this.#doubtCount(advertisement, 'deactivated', market.deactivatedMax);
    // The bounds may have changed.
    return trigger === 'activate' ? this.#doubtVisible(advertisement, terms, available) : undefined;
  }

  #doubtVisible(offer: Offer, terms: AdvertisementTerms, amount: Decimal): Refusal | undefined {
    return (
      this.#doubtTerms(offer.market, terms) ??
      this.#doubtCount(offer, 'active', limits.activeAdvertisementsMax) ??
      this.#doubtCover(offer, amount)
    );
  }

  #doubtTerms(market: P2pMarket, { price, amount, minLimit, maxLimit }: AdvertisementTerms): Refusal | undefined {
    if (price.decimalPlaces() > market.pricePrecision) {
      return refuse('off_tick', `price has more than ${market.pricePrecision} decimals`, 'price');
    }
    const bounds = priceBounds(market.rule, this.#p2p.ports.spreadOf);
    if (bounds === null) return refuse('price_out_of_bounds', 'there is no spot spread to measure from', 'price');
    if (price.lt(bounds.low) || price.gt(bounds.high)) {
      const range = `${bounds.low.toFixed()} to ${bounds.high.toFixed()}`;
      return refuse('price_out_of_bounds', `price ${price.toFixed()} is outside ${range}`, 'price');
    }
    return (
      within('amount', amount, market.advertisementMin, market.advertisementMax) ??
      within('minLimit', minLimit, market.tradeMin, market.tradeMax) ??
      within('maxLimit', maxLimit, minLimit, market.tradeMax)
    );
  }

  #doubtCount({ maker, market, side }: Offer, status: AdvertisementStatus, max: number): Refusal | undefined {
    const same = this.all.filter(
      (other) => other.maker === maker && other.market === market && other.side === side && other.status === status,
    );
    if (same.length < max) return undefined;
    return refuse('limit_reached', `${max} ${side} advertisements of ${market.marketId} are ${status} already`);
  }

  #doubtCover({ maker, market: { base }, side }: Offer, amount: Decimal): Refusal | undefined {
    const { available } = this.#p2p.ports.accounts.pocket(maker.userId, 'p2p', base.currency);
    if (side === 'buy' || available.gte(amount)) return undefined;
    return refuseCover(base.currency, 'p2p');
  }
}

function within(field: string, value: Decimal, min: Decimal, max: Decimal): Refusal | undefined {
  if (value.lt(min)) return refuse('below_minimum', `${field} is below ${min.toFixed()}`, field);
  return value.gt(max) ? refuse('above_maximum', `${field} is above ${max.toFixed()}`, field) : undefined;
}

function notOwner({ advertisementId }: Advertisement): Refusal {
  return refuse('not_owner', `advertisement ${advertisementId} belongs to another user`);
}

function illegal({ advertisementId, status }: Advertisement, trigger: string): Refusal {
  return refuse('illegal_transition', `advertisement ${advertisementId} is ${status}: no ${trigger}`);
}
