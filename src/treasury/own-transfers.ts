/** Which rows of the history own transfers have made, whatever id their answers had. Pure. */
import type { AccountMovement } from '../model/trading/account.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { arrivalTimes, claimKey, claimsIn, type ProofTimes } from './traces.ts';

/** Ids of the rows. */
export function ownTransfers(
  rows: readonly AccountMovement[],
  records: readonly MoneyRecord[],
  times: ProofTimes,
): ReadonlySet<string> {
  const listed = rows.map(({ id, ts, ...row }) => ({
    ...row,
    transactionId: id,
    createdAt: ts,
    updatedAt: ts,
    status: 'completed',
    fee: '0',
  }));
  const transfers = records.filter(({ request }) => request.kind === 'transfer');
  const claims = new Set(claimsIn('transactions', listed, transfers, arrivalTimes(times)));
  return new Set(rows.flatMap(({ id }) => (claims.has(claimKey('transactions', id)) ? [id] : [])));
}
