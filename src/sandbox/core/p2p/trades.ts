/**
 * P2P trades (interface, "P2P trade"). Undocumented permissions are assumed.
 *
 *   open:wait-confirm ─ maker starts ─▶ open ─ buyer pays ─▶ send-payment-document ─ seller confirms ─▶ complete
 *          │ 10 min, or cancel            │ cancel                  │ dispute
 *          └────────────▶ cancel ◀────────┘                dispute:open ─ arbiter, 30 min ─▶ complete | cancel
 *
 * The seller's base is locked on `p2p` throughout. The arbiter decides for the appellant, unless the reason
 * is `sandbox-complete` or `sandbox-cancel`.
 */
import { limits } from '../../../exchange/interface/limits.ts';
import {
  advertisementTransitions,
  nextState,
  p2pTradeTransitions,
  stepTo,
  type P2pTradeTrigger,
} from '../../../exchange/interface/states.ts';
import type { Decimal } from '../../../model/numbers/money.ts';
import type { Pocket } from '../../../clearing/pocket.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { User } from '../identity/users.ts';
import type { Advertisement } from './advertisement.ts';
import type { P2pMarket } from './markets.ts';
import type { P2pParts } from './p2p-parts.ts';
import { isParty } from './trade.ts';
import type { P2pTrade } from './advertisement.ts';

export type UserTrigger = Extract<P2pTradeTrigger, 'start' | 'pay' | 'cancel' | 'confirm' | 'dispute'>;

const actors: Readonly<Record<UserTrigger, 'maker' | 'buyer' | 'seller' | 'either'>> = {
  start: 'maker',
  pay: 'buyer',
  cancel: 'either',
  confirm: 'seller',
  dispute: 'either',
};

export interface Response {
  readonly advertisement: Advertisement;
  /** Base. */
  readonly amount: Decimal;
  readonly paymentMethodId: string;
}

export class P2pTrades {
  readonly #p2p: P2pParts;
  readonly #byId = new Map<string, P2pTrade>();
  readonly #open = new Set<P2pTrade>();

  constructor(p2p: P2pParts) {
    this.#p2p = p2p;
  }

  find(tradeId: string): P2pTrade | undefined {
    return this.#byId.get(tradeId);
  }

  /** Newest first. */
  ofUser(user: User): readonly P2pTrade[] {
    return [...this.#byId.values()].filter((trade) => isParty(trade, user)).toReversed();
  }

  respond(taker: User, response: Response, now: number): P2pTrade | Refusal {
    const { advertisement, amount } = response;
    const { market, maker, side, terms } = advertisement;
    const quote = amount.times(terms.price).toDecimalPlaces(market.quote.precision);
    const doubt = this.#doubt(taker, response, quote);
    if (doubt !== undefined) return doubt;
    const [buyer, seller] = side === 'sell' ? [taker, maker] : [maker, taker];
    if (!this.#pocket(seller, market.base.currency).lock(amount)) {
      return refuse('insufficient_balance', `the seller's ${market.base.currency} of p2p does not cover it`, 'amount');
    }
    const trade: P2pTrade = {
      tradeId: this.#p2p.ids.next(),
      idNumber: String(this.#byId.size + 1),
      advertisement,
      offer: advertisement.offers,
      taker,
      buyer,
      seller,
      base: amount,
      quote,
      price: terms.price,
      paymentMethodId: response.paymentMethodId,
      createdAt: now,
      status: stepTo(p2pTradeTransitions, null, 'respond'),
      updatedAt: now,
      cancelStep: this.#p2p.ports.timers.at(now + limits.p2pConfirmMs, (dueMs) => this.#take(trade, 'expire', dueMs)),
    };
    this.#byId.set(trade.tradeId, trade);
    this.#open.add(trade);
    advertisement.trades.push(trade);
    advertisement.available = advertisement.available.minus(amount);
    this.#p2p.announce({ kind: 'trade', trade });
    this.#p2p.advertisements.touch(advertisement, now);
    return trade;
  }

  /** `reason`: of an appeal. */
  move(user: User, trade: P2pTrade, trigger: UserTrigger, now: number, reason = ''): Refusal | undefined {
    if (!mayMove(trade, user, actors[trigger])) {
      return refuse('not_owner', `${trigger} of trade ${trade.tradeId} is for the ${actors[trigger]}`);
    }
    if (nextState(p2pTradeTransitions, trade.status, trigger) === undefined) {
      return refuse('illegal_transition', `trade ${trade.tradeId} is ${trade.status}: no ${trigger}`);
    }
    trade.cancelStep();
    this.#take(trade, trigger, now);
    if (trigger === 'dispute') {
      const verdict = verdictOf(trade, user, reason);
      const { assumed, timers } = this.#p2p.ports;
      const decidedAt = now + assumed.p2p.arbiterDecidesAfterMs;
      trade.cancelStep = timers.at(decidedAt, (dueMs) => this.#take(trade, verdict, dueMs));
    }
    return undefined;
  }

  #take(trade: P2pTrade, trigger: P2pTradeTrigger, now: number): void {
    trade.status = stepTo(p2pTradeTransitions, trade.status, trigger);
    trade.updatedAt = now;
    if (trade.status === 'complete') this.#settle(trade, now);
    else if (trade.status === 'cancel') this.#release(trade);
    this.#p2p.announce({ kind: 'trade', trade });
    if (trade.status === 'complete' || trade.status === 'cancel') {
      this.#p2p.advertisements.touch(trade.advertisement, now);
    }
  }

  #settle(trade: P2pTrade, now: number): void {
    const { ports, reputation } = this.#p2p;
    const { buyer, seller, base: amount, advertisement } = trade;
    const { currency } = advertisement.market.base;
    const pocket = this.#pocket(seller, currency);
    pocket.unlock(amount);
    pocket.moveTo(this.#pocket(buyer, currency), amount);
    const entry = { type: 'p2p', currency, amount, account: 'p2p' } as const;
    for (const { userId } of [seller, buyer]) ports.transactions.complete(userId, entry, now);
    reputation.completed(buyer, seller, now);
    this.#end(trade);
  }

  #release(trade: P2pTrade): void {
    const { advertisement, base, buyer, seller } = trade;
    this.#pocket(seller, advertisement.market.base.currency).unlock(base);
    if (trade.offer === advertisement.offers) advertisement.available = advertisement.available.plus(base);
    this.#p2p.reputation.canceled([buyer, seller]);
    this.#end(trade);
  }

  #end(trade: P2pTrade): void {
    const { advertisement } = trade;
    this.#open.delete(trade);
    const isBought = advertisement.available.isZero() && !advertisement.trades.some((each) => this.#open.has(each));
    const status = nextState(advertisementTransitions, advertisement.status, 'sell-out');
    if (isBought && status !== undefined) advertisement.status = status;
  }

  #doubt(taker: User, { advertisement, amount, paymentMethodId }: Response, quote: Decimal): Refusal | undefined {
    const { advertisementId, status, terms, available, maker, market } = advertisement;
    if (maker === taker) return refuse('bad_request', 'an own advertisement cannot be answered', 'advertisementId');
    if (status !== 'active') return refuse('illegal_transition', `advertisement ${advertisementId} is ${status}`);
    if (!terms.paymentMethodIds.includes(paymentMethodId)) {
      return refuse('bad_request', 'the advertisement does not take this payment method', 'paymentMethodId');
    }
    if (amount.gt(available)) return refuse('above_maximum', `only ${available.toFixed()} is available`, 'amount');
    const low = terms.minLimit;
    if (quote.lt(low) || amount.isZero()) {
      return refuse('below_minimum', `a deal has at least ${low.toFixed()} ${market.quote.currency}`, 'amount');
    }
    if (quote.gt(terms.maxLimit)) {
      const most = `${terms.maxLimit.toFixed()} ${market.quote.currency}`;
      return refuse('above_maximum', `a deal has at most ${most}`, 'amount');
    }
    return this.#doubtCount(taker, market) ?? this.#doubtCount(maker, market);
  }

  #doubtCount(user: User, market: P2pMarket): Refusal | undefined {
    const max = limits.activeP2pTradesMax;
    const open = [...this.#open].filter((trade) => isParty(trade, user) && trade.advertisement.market === market);
    if (open.length < max) return undefined;
    return refuse('limit_reached', `${user.username} has ${max} open trades of ${market.marketId} already`);
  }

  #pocket(user: User, currency: string): Pocket {
    return this.#p2p.ports.accounts.pocket(user.userId, 'p2p', currency);
  }
}

function mayMove(trade: P2pTrade, user: User, actor: (typeof actors)[UserTrigger]): boolean {
  if (actor === 'either') return isParty(trade, user);
  return user === (actor === 'maker' ? trade.advertisement.maker : trade[actor]);
}

function verdictOf(trade: P2pTrade, appellant: User, reason: string): 'resolve-complete' | 'resolve-cancel' {
  if (reason === 'sandbox-complete') return 'resolve-complete';
  if (reason === 'sandbox-cancel') return 'resolve-cancel';
  return appellant === trade.buyer ? 'resolve-complete' : 'resolve-cancel';
}
