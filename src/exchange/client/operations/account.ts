/** Reads of the account. */
import type { Balance, VenuePosition } from '../../../model/trading/account.ts';
import type { Cancel, Clock, Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import { feeSchema, meSchema, type CurrentUser, type FeeRate } from '../../wire/account.ts';
import { balanceSchema } from '../../wire/balances.ts';
import { positionSchema } from '../../wire/positions.ts';
import type { HttpClient } from '../http.ts';
import { readList, readObject, type Answer } from './answer.ts';
import { readPages } from './pages.ts';

export interface AccountOperations {
  /** An empty list after a non-empty one is `partial`. */
  balances(): Promise<Reading<Balance>>;
  readonly onBalances: (listener: (reading: Reading<Balance>) => void) => Cancel;
  positions(symbol?: string): Promise<Reading<VenuePosition>>;
  fees(symbol?: string): Promise<Answer<readonly FeeRate[]>>;
  me(): Promise<Answer<CurrentUser>>;
}

/** Which of two rows holds is not known, and both together would be money that is not there. */
function comesTwice(balances: readonly Balance[]): string | undefined {
  const seen = new Set<string>();
  for (const { account, currency } of balances) {
    const key = `${account} ${currency}`;
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return undefined;
}

export function createAccountOperations(http: HttpClient, clock: Clock, lane: Lane = 'reconcile'): AccountOperations {
  let hadRows = false;
  const listeners = new Set<(reading: Reading<Balance>) => void>();
  const balances = async (): Promise<Reading<Balance>> => {
    const reading = await readPages(http, clock, { endpoint: 'balances', lane, paged: false }, balanceSchema);
    if (reading.kind !== 'complete') return reading;
    if (reading.items.length === 0 && hadRows)
      return { ...reading, kind: 'partial', reason: 'no balance at all, and there were some before' };
    const twice = comesTwice(reading.items);
    if (twice !== undefined)
      return { kind: 'failed', asOf: reading.asOf, reason: `the balance of ${twice} comes twice` };
    hadRows = reading.items.length > 0;
    for (const listener of listeners) listener(reading);
    return reading;
  };
  return Object.freeze({
    balances,
    onBalances: (listener: (reading: Reading<Balance>) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    positions: (symbol?: string) =>
      readPages(http, clock, { endpoint: 'positions', lane, query: { symbol }, paged: false }, positionSchema),
    fees: (symbol?: string) => readList(http, { endpoint: 'fees', lane, query: { symbol } }, feeSchema),
    me: () => readObject(http, { endpoint: 'me', lane }, meSchema),
  });
}
