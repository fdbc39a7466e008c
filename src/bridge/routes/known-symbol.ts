/** Whether a session has to do with a symbol, by the instruments of its journal. */
import { nearest } from '../../model/text/nearest.ts';
import { bridgeErrors } from '../errors.ts';
import type { SessionView } from '../fleet/session-view.ts';

/** Throws `bridge_unknown`, which names the nearest. */
export function mustKnow(view: SessionView, symbol: string): void {
  view.catchUp();
  const instruments = view.replica()?.replay.instruments;
  if (instruments?.find(symbol) !== undefined) return;
  const near = nearest(symbol, instruments?.symbols() ?? [], 3).join(', ');
  const hint = near === '' ? '' : `; nearest: ${near}`;
  throw bridgeErrors.make('bridge_unknown', `the session has no symbol ${symbol}${hint}`, { field: 'symbol' });
}
