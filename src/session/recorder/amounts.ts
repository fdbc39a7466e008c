/** Exact holdings. Money may be negative: it offsets the cost of contracts. */
import type { Instrument } from '../../model/market/instrument.ts';
import { dec, type Decimal, type DecimalLike, decimalText, ZERO } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';

export interface TradedAmounts {
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
}

export interface HeldContracts {
  readonly instrument: Instrument;
  readonly quantity: DecimalLike;
  /** Settlement currency. */
  readonly cost: DecimalLike;
}

/** Decimal text, in the order of the maps. */
export interface SavedAmounts {
  readonly money: readonly (readonly [currency: string, amount: string])[];
  readonly contracts: readonly (readonly [symbol: string, settle: string, quantity: string])[];
}

interface Contracts {
  readonly settle: string;
  /** Signed base units: contracts × contract size. */
  quantity: Decimal;
}

export class Amounts {
  readonly money = new Map<string, Decimal>();
  readonly contracts = new Map<string, Contracts>();

  saved(): SavedAmounts {
    return {
      money: [...this.money].map(([currency, amount]) => [currency, decimalText(amount)]),
      contracts: [...this.contracts].map(([symbol, { settle, quantity }]) => [symbol, settle, decimalText(quantity)]),
    };
  }

  load({ money, contracts }: SavedAmounts): void {
    for (const [currency, amount] of money) this.add(currency, amount);
    for (const [symbol, settle, quantity] of contracts) this.addUnits(symbol, settle, quantity);
  }

  add(currency: string, amount: DecimalLike): void {
    this.money.set(currency, (this.money.get(currency) ?? ZERO).plus(amount));
  }

  spend(currency: string, amount: DecimalLike): void {
    this.money.set(currency, (this.money.get(currency) ?? ZERO).minus(amount));
  }

  addContracts({ symbol, settle, contractSize }: Instrument, quantity: DecimalLike): void {
    this.addUnits(symbol, settle, contractSize.times(quantity));
  }

  hold({ instrument, quantity, cost }: HeldContracts): void {
    this.addContracts(instrument, quantity);
    this.spend(instrument.settle, cost);
  }

  /** Adds a fill with its fee (rule A1). */
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

  put({ money, contracts }: Amounts): void {
    for (const [currency, amount] of money) this.add(currency, amount);
    for (const [symbol, { settle, quantity }] of contracts) this.addUnits(symbol, settle, quantity);
  }

  take({ money, contracts }: Amounts): void {
    for (const [currency, amount] of money) this.spend(currency, amount);
    for (const [symbol, { settle, quantity }] of contracts) this.addUnits(symbol, settle, quantity.neg());
  }

  /** Signed base units. */
  addUnits(symbol: string, settle: string, quantity: DecimalLike): void {
    const held = this.contracts.get(symbol);
    if (held === undefined) this.contracts.set(symbol, { settle, quantity: dec(quantity) });
    else held.quantity = held.quantity.plus(quantity);
  }
}
