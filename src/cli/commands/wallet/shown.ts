/** What the history shows of a withdrawal, beside what was answered. */
import type { TransactionRow } from '../../../model/funds/money-records.ts';
import { itemsOf, type Reading } from '../../../model/result.ts';
import { lookUntil } from '../../operations/look-until.ts';
import type { OpenExchange } from '../../operations/open-exchange.ts';
import { contradicted } from '../../operations/outcome.ts';

export const WITHDRAWAL_LOOK = 'see `tidewire wallet history --type withdrawal`';

export function withdrawals({ exchange }: OpenExchange): Promise<Reading<TransactionRow>> {
  return exchange.money.transfers.transactions({ type: 'withdrawal' });
}

/** Throws `operation_contradicted` where the history does not show it in one of these states. */
export async function requireShown(
  open: OpenExchange,
  what: string,
  { transactionId, status }: Pick<TransactionRow, 'transactionId' | 'status'>,
  states: ReadonlySet<string>,
): Promise<void> {
  const isSo = (row: TransactionRow): boolean => states.has(row.status);
  const row = await lookUntil(
    open,
    isSo,
    async () => itemsOf(await withdrawals(open)).find((each) => each.transactionId === transactionId) ?? null,
  );
  if (row !== null && isSo(row)) return;
  const shown = row === null ? 'does not show it' : `shows it as ${row.status}`;
  const message = `withdrawal ${transactionId} was answered as ${status}, and the history ${shown}; ${WITHDRAWAL_LOOK}`;
  throw contradicted(what, transactionId, message);
}
