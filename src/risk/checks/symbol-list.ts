/** Allowed symbols of the account or a strategy. */
import { denied, type Denied } from '../../model/deny-reason.ts';

export function symbolDenial(symbol: string, allowed: readonly string[] | undefined, whose: string): Denied | null {
  if (allowed === undefined || allowed.includes(symbol)) return null;
  const list = allowed.length === 0 ? 'no symbol at all' : allowed.join(', ');
  return denied('symbol_not_allowed', `${symbol}: ${whose} may trade ${list}`, 'symbol');
}
