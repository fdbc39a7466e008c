/**
 * An open position of a result as a reader sees it, on a terminal and in the report: whose it is where that can be asked, and
 * its average entry price without the digits that only the cost basis needs. The result file keeps them.
 */
import { dec, decimalText } from '../model/money.ts';
import type { ResultDocument, ResultPosition } from './result.ts';

/** Decimal places beyond the tick at which an average is still worth reading. */
const EXTRA_PLACES = 2;
/** Of a result that does not say the tick. */
const UNKNOWN_TICK_PLACES = 8;

type Instruments = readonly Pick<ResultDocument['instruments'][number], 'symbol' | 'tickSize'>[];

/** Null where there is none. */
export function entryPriceText({ symbol, entryPrice }: ResultPosition, instruments: Instruments): string | null {
  if (entryPrice === null) return null;
  const tick = instruments.find((instrument) => instrument.symbol === symbol)?.tickSize;
  const places = tick === undefined ? UNKNOWN_TICK_PLACES : dec(tick).decimalPlaces() + EXTRA_PLACES;
  return decimalText(dec(entryPrice).toDecimalPlaces(places));
}

/** `BTCUSDT`, `BTCUSDTPERP short`. */
export function heldName({ symbol, positionSide }: Pick<ResultPosition, 'symbol' | 'positionSide'>): string {
  return positionSide === undefined ? symbol : `${symbol} ${positionSide}`;
}
