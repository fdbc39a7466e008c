/**
 * A position as the exchange reports it, frozen when the row was made. Quotients are computed on first read, since the
 * liquidation price visits every position of the currency.
 */
import type { VenuePosition } from '../../model/trading/account.ts';
import { decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { PositionSide } from '../../model/trading/order.ts';
import { unneeded } from '../margin/cross-account.ts';
import { unrealizedOf, type Exposure } from '../margin/exposure.ts';
import { liquidationPrices } from '../margin/liquidation.ts';
import type { Leg, PerpetualMarket } from './margin-book.ts';
import type { PositionSlot } from './position-slot.ts';

const AVERAGE_PLACES = 18;

/** Own margin, or the balance with the other cross positions. */
interface Backing {
  readonly balance: Decimal;
  readonly legs: readonly Leg<PositionSlot<object>>[];
  readonly places: number;
}

export class PositionRow implements VenuePosition {
  readonly symbol: string;
  readonly positionSide: PositionSide;
  readonly quantity: string;
  readonly leverage: string;
  readonly marginType: VenuePosition['marginType'];
  readonly updatedAt: number;
  readonly #held: Decimal;
  readonly #cost: Decimal;
  readonly #realized: Decimal;
  readonly #margin: Decimal;
  readonly #exposure: Exposure;
  readonly #market: PerpetualMarket;
  readonly #mark: Decimal | null;
  readonly #backing: Backing | null;

  constructor(slot: PositionSlot<object>) {
    const { quantity, cost, realized } = slot.position;
    const { leverage, marginType } = slot.holding.terms;
    this.symbol = slot.symbol;
    this.positionSide = slot.side;
    this.quantity = decimalText(shownQuantity(slot.side, quantity));
    this.leverage = String(leverage);
    this.marginType = marginType;
    this.updatedAt = slot.updatedAt;
    this.#held = quantity;
    this.#cost = cost;
    this.#realized = realized;
    this.#margin = slot.margin;
    this.#exposure = slot.exposure;
    this.#market = slot.market;
    this.#mark = slot.market.mark;
    this.#backing = backingOf(slot);
  }

  get entryPrice(): string {
    return decimalText(this.#entry().toDecimalPlaces(AVERAGE_PLACES));
  }

  get markPrice(): string {
    return decimalText(this.#mark ?? this.#entry());
  }

  get margin(): string {
    return decimalText(this.#margin);
  }

  get liquidationPrice(): string | null {
    if (this.#backing === null) return null;
    const { balance, legs, places } = this.#backing;
    const own = legs.filter(({ slot }) => slot.market === this.#market);
    const others = legs.filter(({ slot }) => slot.market !== this.#market);
    const exposures = own.length === 0 ? [this.#exposure] : own.map(({ exposure }) => exposure);
    const prices = liquidationPrices(exposures, unneeded(balance, others), this.#market.tiers);
    // In hedge mode the price on the losing side of this position, if there is one.
    const price = this.#held.isNegative() ? prices.at(-1) : prices[0];
    return price === undefined ? null : decimalText(price.toDecimalPlaces(places));
  }

  get unrealizedPnl(): string {
    return decimalText(unrealizedOf(this.#exposure, this.#mark ?? this.#entry()));
  }

  get realizedPnl(): string {
    return decimalText(this.#realized.times(this.#market.instrument.contractSize));
  }

  copy(): VenuePosition {
    return {
      symbol: this.symbol,
      positionSide: this.positionSide,
      quantity: this.quantity,
      entryPrice: this.entryPrice,
      markPrice: this.markPrice,
      leverage: this.leverage,
      marginType: this.marginType,
      margin: this.margin,
      liquidationPrice: this.liquidationPrice,
      unrealizedPnl: this.unrealizedPnl,
      realizedPnl: this.realizedPnl,
      updatedAt: this.updatedAt,
    };
  }

  toJSON(): VenuePosition {
    return this.copy();
  }

  #entry(): Decimal {
    return this.#held.isZero() ? ZERO : this.#cost.div(this.#held);
  }
}

/** Signed in one-way mode only. */
export function shownQuantity(side: PositionSide, quantity: Decimal): Decimal {
  return side === 'both' ? quantity : quantity.abs();
}

/** Null where nothing liquidates: a flat position, or no mark. */
function backingOf({ isOpen, holding, book, margin, market }: PositionSlot<object>): Backing | null {
  if (!isOpen) return null;
  const places = book.rules.liquidationPricePlaces;
  if (holding.isIsolated) return { balance: margin, legs: [], places };
  if (market.mark === null) return null;
  return { balance: book.crossBalance(), legs: book.crossLegs(), places };
}
