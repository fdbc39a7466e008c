/** The withdrawals in the history. */
import type { TransactionRow } from '../../../model/funds/money-records.ts';
import type { Reading } from '../../../model/result.ts';
import type { OpenExchange } from '../../operations/open-exchange.ts';

export const WITHDRAWAL_LOOK = 'see `tidewire wallet history --type withdrawal`';

export function withdrawals({ exchange }: OpenExchange): Promise<Reading<TransactionRow>> {
  return exchange.money.transfers.transactions({ type: 'withdrawal' });
}
