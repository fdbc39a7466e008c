/** Exact worth of each fill in the reporting currency. */
import { type Decimal, ONE, ZERO, dec } from '../model/money.ts';
import { statisticsErrors } from './errors.ts';
import type { FillRecord, SymbolRecord } from './inputs.ts';

export interface FillValue {
  readonly fill: FillRecord;
  readonly symbol: SymbolRecord;
  /** +1 buy, −1 sell. */
  readonly direction: 1 | -1;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Contract size × quote rate: reporting currency per unit of price and quantity. */
  readonly unit: Decimal;
  readonly notional: Decimal;
  /** Null when the fee currency has no known worth. */
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
  const rate = symbol.quoteRate === undefined ? ONE : dec(symbol.quoteRate);
  const unit = symbol.contractSize === undefined ? rate : rate.times(symbol.contractSize);
  const notional = unit === ONE ? price.times(quantity) : price.times(quantity).times(unit);
  const direction = fill.side === 'buy' ? 1 : -1;
  return { fill, symbol, direction, price, quantity, unit, notional, fee: feeOf(fill, symbol, price, rate) };
}

/** A base fee is worth its fill price (docs/metrics.md, `fees`). `rate`: of the quote. Null where it has no known worth. */
export function feeOf(
  fill: Pick<FillRecord, 'fee' | 'feeCurrency' | 'feeValue'>,
  symbol: Pick<SymbolRecord, 'base' | 'quote'>,
  price: Decimal,
  rate: Decimal,
): Decimal | null {
  if (fill.feeValue !== undefined) return dec(fill.feeValue);
  const fee = dec(fill.fee);
  if (fee.isZero()) return ZERO;
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
