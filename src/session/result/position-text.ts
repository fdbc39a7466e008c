/** An open position for terminal and report. */
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { ResultDocument, ResultPosition } from './result.ts';

const EXTRA_PLACES = 2;
/** For results without a tick. */
const UNKNOWN_TICK_PLACES = 8;

type Instruments = readonly Pick<ResultDocument['instruments'][number], 'symbol' | 'tickSize'>[];

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
