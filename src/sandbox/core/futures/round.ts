/** Tally of a position from opening to closing. */
import type { ClosedPosition as WireClosedPosition } from '../../../exchange/wire/positions.ts';
import { ZERO, decimalText, type Decimal } from '../../../model/numbers/money.ts';
import { shownQuantity } from '../../../clearing/perpetual/position-row.ts';
import { averageText } from '../orders/order-record.ts';
import type { Slot } from './slot.ts';

/** A row of the position history (`reason` is assumed). */
export interface ClosedPosition extends WireClosedPosition {
  /** `liquidation`, or absent. */
  readonly reason?: string;
}

export class Round {
  readonly openedAt: number;
  isOver = false;
  /** Base units and settlement currency. */
  #entered = ZERO;
  #enteredValue = ZERO;
  #left = ZERO;
  #leftValue = ZERO;
  /** Greatest size, signed. */
  #quantityMax = ZERO;
  #realized = ZERO;
  #fees = ZERO;
  #funding = ZERO;

  constructor(openedAt: number) {
    this.openedAt = openedAt;
  }

  /** `position`: after the entry. */
  enter(price: Decimal, quantity: Decimal, fee: Decimal, position: Decimal): void {
    this.#entered = this.#entered.plus(quantity);
    this.#enteredValue = this.#enteredValue.plus(quantity.times(price));
    if (position.abs().gt(this.#quantityMax.abs())) this.#quantityMax = position;
    this.#fees = this.#fees.plus(fee);
  }

  leave(price: Decimal, quantity: Decimal, fee: Decimal, profit: Decimal): void {
    this.#left = this.#left.plus(quantity);
    this.#leftValue = this.#leftValue.plus(quantity.times(price));
    this.#realized = this.#realized.plus(profit);
    this.#fees = this.#fees.plus(fee);
  }

  /** Received; negative when paid. */
  fund(amount: Decimal): void {
    this.#funding = this.#funding.plus(amount);
  }

  end({ symbol, side, market, holding }: Slot, now: number, reason: string | undefined): ClosedPosition {
    this.isOver = true;
    const { leverage, marginType } = holding.terms;
    return {
      symbol,
      positionSide: side,
      quantity: decimalText(shownQuantity(side, this.#quantityMax)),
      entryPrice: averageText(this.#enteredValue, this.#entered),
      markPrice: decimalText(market.mark ?? ZERO),
      leverage: String(leverage),
      marginType,
      margin: '0',
      liquidationPrice: null,
      unrealizedPnl: '0',
      realizedPnl: decimalText(this.#realized),
      updatedAt: now,
      closePrice: averageText(this.#leftValue, this.#left),
      openedAt: this.openedAt,
      closedAt: now,
      fees: decimalText(this.#fees),
      funding: decimalText(this.#funding),
      ...(reason === undefined ? {} : { reason }),
    };
  }
}
