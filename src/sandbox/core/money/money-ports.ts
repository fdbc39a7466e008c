/** Ports of the money areas. */
import type { Accounts } from '../../../clearing/accounts.ts';
import type { Assumed } from '../assumptions.ts';
import type { AccountTimers } from '../timers.ts';
import type { Transactions } from './transactions.ts';

export interface MoneyPorts {
  readonly assumed: Assumed;
  readonly accounts: Accounts;
  readonly transactions: Transactions;
  readonly timers: AccountTimers;
}
