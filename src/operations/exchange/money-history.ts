/** Deposits, withdrawals and fiat applications, from the transaction history. Complete only if each part is. */
import type { TransactionFilter } from '../../exchange/client/operations/transfers.ts';
import type { MoneyOperations } from '../../exchange/client/money-operations.ts';
import type { TransactionRow } from '../../model/funds/money-records.ts';
import type { Reading } from '../../model/result.ts';
import { answered } from './answers.ts';

type Rows = Reading<TransactionRow>;

export interface MoneyPeriod {
  readonly type?: 'deposit' | 'withdrawal' | undefined;
  /** Unix ms on creation time, inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

function merged(one: Rows, other: Rows): Rows {
  if (one.kind === 'failed') return one;
  if (other.kind === 'failed') return other;
  const items = [...one.items, ...other.items].sort((a, b) => b.createdAt - a.createdAt);
  const broken = one.kind === 'partial' ? one : other;
  return { ...broken, asOf: Math.min(one.asOf, other.asOf), items };
}

/** Newest first. */
export async function depositsAndWithdrawals(
  transfers: Pick<MoneyOperations['transfers'], 'transactions'>,
  { type, from, to }: MoneyPeriod,
): Promise<Rows> {
  const period: TransactionFilter = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  if (type !== undefined) return transfers.transactions({ type, ...period });
  const deposits = await transfers.transactions({ type: 'deposit', ...period });
  return merged(deposits, await transfers.transactions({ type: 'withdrawal', ...period }));
}

function isOpen({ status }: TransactionRow): boolean {
  return status === 'created' || status === 'submitted' || status === 'processing';
}

/** Newest first. */
export async function fiatApplications(
  { transfers, dictionaries }: Pick<MoneyOperations, 'transfers' | 'dictionaries'>,
  openOnly: boolean,
): Promise<Rows> {
  const assets = answered('the assets', await dictionaries.assets());
  const fiat = new Set(assets.filter(({ isCoin }) => !isCoin).map(({ currency }) => currency));
  const deposits = await transfers.transactions({ type: 'deposit' });
  if (deposits.kind !== 'complete') return deposits;
  const withdrawals = await transfers.transactions({ type: 'withdrawal' });
  const rest = withdrawals.kind === 'failed' ? [] : withdrawals.items;
  const items = [...deposits.items, ...rest]
    .filter((row) => fiat.has(row.currency) && (!openOnly || isOpen(row)))
    .toSorted((a, b) => b.createdAt - a.createdAt);
  if (withdrawals.kind === 'complete') return { ...withdrawals, items };
  return { kind: 'partial', asOf: withdrawals.asOf, items, reason: withdrawals.reason };
}
