/**
 * The account over REST: balances, open positions, fees, current user. Reads only.
 */
import type { Balance, VenuePosition } from '../../../model/account.ts';
import type { Clock, Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import { feeSchema, meSchema, type CurrentUser, type FeeRate } from '../../wire/account.ts';
import { balanceSchema } from '../../wire/balances.ts';
import { positionSchema } from '../../wire/positions.ts';
import type { HttpClient } from '../http.ts';
import { readList, readObject, type Answer } from './answer.ts';
import { readPages } from './pages.ts';

export interface AccountOperations {
  /** Every currency of every account. */
  balances(): Promise<Reading<Balance>>;
  positions(symbol?: string): Promise<Reading<VenuePosition>>;
  fees(symbol?: string): Promise<Answer<readonly FeeRate[]>>;
  me(): Promise<Answer<CurrentUser>>;
}

export function createAccountOperations(http: HttpClient, clock: Clock, lane: Lane = 'reconcile'): AccountOperations {
  return Object.freeze({
    balances: () => readPages(http, clock, { endpoint: 'balances', lane, paged: false }, balanceSchema),
    positions: (symbol?: string) =>
      readPages(http, clock, { endpoint: 'positions', lane, query: { symbol }, paged: false }, positionSchema),
    fees: (symbol?: string) => readList(http, { endpoint: 'fees', lane, query: { symbol } }, feeSchema),
    me: () => readObject(http, { endpoint: 'me', lane }, meSchema),
  });
}
