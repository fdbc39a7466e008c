/**
 * Own advertisements of the simulated treasury: the exchange's states and limits (docs/interface.md, "P2P
 * advertisement"), without takers. Pure.
 */
import type {
  AdvertisementStatus,
  Advertisement,
  AdvertisementTerms,
  P2pMarket,
  P2pUser,
} from '../../model/funds/p2p.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { Mutable } from '../../model/mutable.ts';
import { priceBounds, priceRuleOf } from '../../model/funds/p2p-price-rule.ts';
import type { MoneyContents } from '../../model/funds/money-commands.ts';
import { refused, type Refusal } from '../venue/admission.ts';

export const SIMULATED_USER: P2pUser = Object.freeze({ userId: 'sim-user', username: 'simulated', tradesCount: 0 });

const targets = {
  activateAdvertisement: { from: ['deactivated'], to: 'active' },
  deactivateAdvertisement: { from: ['active'], to: 'deactivated' },
  deleteAdvertisement: { from: ['active', 'deactivated'], to: 'canceled' },
} as const satisfies Record<
  string,
  { readonly from: readonly AdvertisementStatus[]; readonly to: AdvertisementStatus }
>;

export type AdvertisementMove = keyof typeof targets;

export class SimulatedAdvertisements {
  readonly #markets: ReadonlyMap<string, P2pMarket>;
  readonly #rows = new Map<string, Mutable<Advertisement>>();

  constructor(markets: readonly P2pMarket[]) {
    this.#markets = new Map(markets.map((market) => [market.marketId, market]));
  }

  all(): readonly Advertisement[] {
    return [...this.#rows.values()].map((row) => ({ ...row }));
  }

  create(request: MoneyContents['advertise'], now: number): Advertisement | Refusal {
    const { marketId, side } = request;
    const market = this.#markets.get(marketId);
    if (market === undefined) return refused('unknown_symbol', `there is no pair ${marketId}`);
    const refusal = this.#doubt(market, request) ?? this.#doubtCount(market, side);
    if (refusal !== null) return refusal;
    const number = this.#rows.size + 1;
    const row: Mutable<Advertisement> = {
      advertisementId: `sim-ad-${number}`,
      idNumber: String(number),
      side,
      status: 'active',
      base: market.base,
      quote: market.quote,
      price: decimalText(request.price),
      availableAmount: decimalText(request.amount),
      minLimit: decimalText(request.minLimit),
      maxLimit: decimalText(request.maxLimit),
      maker: SIMULATED_USER,
      paymentMethods: request.paymentMethodIds.map((id) => ({ id, name: id })),
      comment: request.comment ?? null,
      market,
      trades: [],
      createdAt: now,
      updatedAt: now,
    };
    this.#rows.set(row.advertisementId, row);
    return { ...row };
  }

  edit({ advertisementId, ...change }: MoneyContents['editAdvertisement'], now: number): Advertisement | Refusal {
    const row = this.#rows.get(advertisementId);
    if (row === undefined) return refused('not_owner', `there is no advertisement ${advertisementId}`);
    if (row.status !== 'deactivated') return refused('illegal_transition', `${advertisementId} is ${row.status}`);
    const refusal = this.#doubt(row.market, { price: row.price, ...change });
    if (refusal !== null) return refusal;
    const { price, amount, minLimit, maxLimit, paymentMethodIds, comment } = change;
    if (price !== undefined) row.price = decimalText(price);
    if (amount !== undefined) row.availableAmount = decimalText(amount);
    if (minLimit !== undefined) row.minLimit = decimalText(minLimit);
    if (maxLimit !== undefined) row.maxLimit = decimalText(maxLimit);
    if (comment !== undefined) row.comment = comment;
    if (paymentMethodIds !== undefined) row.paymentMethods = paymentMethodIds.map((id) => ({ id, name: id }));
    row.updatedAt = now;
    return { ...row };
  }

  move(kind: AdvertisementMove, advertisementId: string, now: number): Advertisement | Refusal {
    const row = this.#rows.get(advertisementId);
    if (row === undefined) return refused('not_owner', `there is no advertisement ${advertisementId}`);
    const { from, to } = targets[kind];
    if (!from.some((status) => status === row.status))
      return refused('illegal_transition', `${advertisementId} is ${row.status}`);
    const full = to === 'active' ? this.#doubtCount(row.market, row.side) : null;
    if (full !== null) return full;
    row.status = to;
    row.updatedAt = now;
    return { ...row };
  }

  #doubt(market: P2pMarket, { price }: Pick<AdvertisementTerms, 'price'>): Refusal | null {
    const rule = priceRuleOf(market);
    const bounds = rule === null ? null : priceBounds(rule, () => null);
    if (bounds !== null && dec(price).gte(bounds.low) && dec(price).lte(bounds.high)) return null;
    return refused('price_out_of_bounds', `price ${price} is outside the bounds of ${market.marketId}`);
  }

  #doubtCount(market: P2pMarket, side: 'buy' | 'sell'): Refusal | null {
    const most = side === 'sell' ? market.activeSellMax : market.activeBuyMax;
    const active = this.all().filter(
      (row) => row.status === 'active' && row.side === side && row.market.marketId === market.marketId,
    );
    return active.length < most ? null : refused('limit_reached', `${most} ${side} advertisements are active`);
  }
}
