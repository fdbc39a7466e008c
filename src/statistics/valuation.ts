/** Exact worth of each fill in the reporting currency. */
import { type Decimal, ONE, ZERO, dec } from '../model/numbers/money.ts';
import { statisticsErrors } from './errors.ts';
import type { FillRecord, SymbolRecord } from './inputs.ts';

export interface FillValue {
  readonly fill: FillRecord;
  readonly symbol: SymbolRecord;
  /** +1 buy, −1 sell. */
  readonly direction: 1 | -1;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Base units per unit of quantity. */
  readonly contractSize: Decimal;
  /** Reporting currency per quote unit at the fill; null without a price. */
  readonly rate: Decimal | null;
  /** Contract size × rate: reporting currency per unit of price and quantity; 0 without a price. */
  readonly unit: Decimal;
  readonly notional: Decimal;
  /** Null when its currency has no known worth. */
  readonly fee: Decimal | null;
}

export type Symbols = Readonly<Record<string, SymbolRecord>>;

/** @throws `statistics_input` when a fill's symbol is not described. */
export function valuesOf(fills: readonly FillRecord[], symbols: Symbols): FillValue[] {
  return fills.map((fill) => {
    const symbol = symbols[fill.symbol];
    if (symbol === undefined) {
      throw statisticsErrors.make('statistics_input', `a fill names ${fill.symbol}, which is not described`, {
        symbol: fill.symbol,
      });
    }
    return valueOf(fill, symbol);
  });
}

function valueOf(fill: FillRecord, symbol: SymbolRecord): FillValue {
  const price = dec(fill.price);
  const quantity = dec(fill.quantity);
  const rate = rateOf(fill, symbol);
  const contractSize = symbol.contractSize === undefined ? ONE : dec(symbol.contractSize);
  const unit = rate === null ? ZERO : contractSize === ONE ? rate : rate.times(contractSize);
  const notional = unit === ONE ? price.times(quantity) : price.times(quantity).times(unit);
  const direction = fill.side === 'buy' ? 1 : -1;
  const fee = feeOf(fill, symbol, price, rate);
  return { fill, symbol, direction, price, quantity, contractSize, rate, unit, notional, fee };
}

function rateOf({ quoteRate }: FillRecord, symbol: SymbolRecord): Decimal | null {
  const rate = quoteRate ?? symbol.quoteRate;
  return rate === undefined ? ONE : rate === null ? null : dec(rate);
}

/** The same fills, all at the rates of the end. */
export function atLastRates(fills: readonly FillRecord[]): readonly FillRecord[] {
  return fills.map(({ quoteRate: _atFill, ...fill }) => fill);
}

/** A base fee is worth its fill price (docs/metrics.md, `fees`). `rate`: of the quote. */
function feeOf(fill: FillRecord, symbol: SymbolRecord, price: Decimal, rate: Decimal | null): Decimal | null {
  if (fill.feeValue !== undefined) return dec(fill.feeValue);
  const fee = dec(fill.fee);
  if (fee.isZero()) return ZERO;
  if (rate === null) return null;
  if (fill.feeCurrency === symbol.quote) return fee.times(rate);
  if (fill.feeCurrency === symbol.base) return fee.times(price).times(rate);
  return null;
}

/** Signed quantity, less a spot fee paid in base. */
export function positionChange({ fill, symbol, direction, quantity }: FillValue): Decimal {
  const signed = direction === 1 ? quantity : quantity.neg();
  const inBase = symbol.market === 'spot' && fill.feeCurrency === symbol.base;
  return inBase ? signed.minus(fill.fee) : signed;
}

/** Strategy × symbol × side (hedge mode). */
export function positionKey({ strategy = '', symbol, positionSide = 'both' }: FillRecord): string {
  return `${strategy}|${symbol}|${positionSide}`;
}
