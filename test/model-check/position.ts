/**
 * One position of the model by cost basis (simulation.md A4): a partial close releases cost × closed / size, rounded to
 * 10^-18 half even. Quantities are signed, also in hedge mode.
 */
import { averageText, least, product, type Amount } from './amount.ts';

const UNIT = 10n ** 12n;

export interface Round {
  readonly openedAt: number;
  fees: Amount;
  funding: Amount;
  realized: Amount;
}

export class Position {
  quantity: Amount = 0n;
  cost: Amount = 0n;
  round: Round = { openedAt: 0, fees: 0n, funding: 0n, realized: 0n };

  get size(): Amount {
    return magnitude(this.quantity);
  }

  /** How much an order of this side closes. */
  closable(side: 'buy' | 'sell'): Amount {
    return (side === 'sell' ? this.quantity > 0n : this.quantity < 0n) ? this.size : 0n;
  }

  /** Answers the profit. `ended` is told of a round that is over. */
  fill(
    side: 'buy' | 'sell',
    price: Amount,
    quantity: Amount,
    feeRate: Amount,
    now: number,
    ended: (round: Round) => void,
  ): Amount {
    const closes = least(this.closable(side), quantity);
    const opens = quantity - closes;
    let profit = 0n;
    if (closes > 0n) {
      const released = closes === this.size ? this.cost : portion(this.cost, closes, this.size);
      const signed = this.quantity > 0n ? closes : -closes;
      profit = product(signed, price) - released;
      this.quantity -= signed;
      this.cost -= released;
      this.round.realized += profit;
      this.round.fees += product(product(price, closes), feeRate);
      if (this.quantity === 0n) ended(this.round);
    }
    if (opens > 0n) {
      if (this.quantity === 0n) this.round = { openedAt: now, fees: 0n, funding: 0n, realized: 0n };
      const signed = side === 'buy' ? opens : -opens;
      this.quantity += signed;
      this.cost += product(signed, price);
      this.round.fees += product(product(price, opens), feeRate);
    }
    return profit;
  }

  unrealized(mark: Amount): Amount {
    return product(this.quantity, mark) - this.cost;
  }
}

export function magnitude(value: Amount): Amount {
  return value < 0n ? -value : value;
}

/** Rounded up to 10^-18. */
export function dividedUp(value: Amount, divisor: number): Amount {
  const step = BigInt(divisor) * UNIT;
  return ((magnitude(value) + step - 1n) / step) * UNIT;
}

function portion(cost: Amount, part: Amount, whole: Amount): Amount {
  const numerator = magnitude(cost) * part;
  const denominator = whole * UNIT;
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  const rounded = (isUp ? quotient + 1n : quotient) * UNIT;
  return cost < 0n ? -rounded : rounded;
}

/** Entry price: cost / quantity to 18 places, half even. */
export function signedAverage(cost: Amount, quantity: Amount): string {
  return averageText(magnitude(cost), magnitude(quantity));
}
