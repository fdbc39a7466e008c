/**
 * What is held, exactly: money by currency and contracts by perpetual. Money may be below zero: a perpetual is held against
 * what it was bought for, as a spot position against the quote that was paid. Worth is linear in it, so that what is true of
 * amounts (own + start = account) is true of their worth at any prices. Used by `equity.ts` and those who feed it.
 */
import type { Instrument } from '../model/instrument.ts';
import { dec, type Decimal, type DecimalLike, ZERO } from '../model/money.ts';
import type { Side } from '../model/order.ts';

/** What counts of a fill here. */
export interface TradedAmounts {
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
}

/** An open perpetual position as an account shows it: signed contracts, and what they cost with the same sign. */
export interface HeldContracts {
  readonly instrument: Instrument;
  readonly quantity: DecimalLike;
  /** Settlement currency. */
  readonly cost: DecimalLike;
}

/** Of one perpetual. */
interface Contracts {
  readonly settle: string;
  /** Signed base units: contracts × contract size. */
  quantity: Decimal;
}

export class Amounts {
  readonly money = new Map<string, Decimal>();
  /** By symbol. */
  readonly contracts = new Map<string, Contracts>();

  add(currency: string, amount: DecimalLike): void {
    this.money.set(currency, (this.money.get(currency) ?? ZERO).plus(amount));
  }

  spend(currency: string, amount: DecimalLike): void {
    this.money.set(currency, (this.money.get(currency) ?? ZERO).minus(amount));
  }

  addContracts({ symbol, settle, contractSize }: Instrument, quantity: DecimalLike): void {
    this.addUnits(symbol, settle, contractSize.times(quantity));
  }

  /** A position that an account holds, whose cost has not left its balance. */
  hold({ instrument, quantity, cost }: HeldContracts): void {
    this.addContracts(instrument, quantity);
    this.spend(instrument.settle, cost);
  }

  /** One fill with its fee (rule A1): the money and the base or contracts that it moved. */
  trade(instrument: Instrument, { side, price, quantity, fee, feeCurrency }: TradedAmounts): void {
    const signed = side === 'buy' ? dec(quantity) : dec(quantity).neg();
    if (instrument.market === 'spot') {
      this.add(instrument.base, signed);
      this.spend(instrument.quote, signed.times(price));
    } else {
      const units = instrument.contractSize.times(signed);
      this.addUnits(instrument.symbol, instrument.settle, units);
      this.spend(instrument.settle, units.times(price));
    }
    this.spend(feeCurrency, fee);
  }

  /** All of the others in. */
  put({ money, contracts }: Amounts): void {
    for (const [currency, amount] of money) this.add(currency, amount);
    for (const [symbol, { settle, quantity }] of contracts) this.addUnits(symbol, settle, quantity);
  }

  /** All of the others out. */
  take({ money, contracts }: Amounts): void {
    for (const [currency, amount] of money) this.spend(currency, amount);
    for (const [symbol, { settle, quantity }] of contracts) this.addUnits(symbol, settle, quantity.neg());
  }

  /** Signed base units of a perpetual. */
  addUnits(symbol: string, settle: string, quantity: DecimalLike): void {
    const held = this.contracts.get(symbol);
    if (held === undefined) this.contracts.set(symbol, { settle, quantity: dec(quantity) });
    else held.quantity = held.quantity.plus(quantity);
  }
}
