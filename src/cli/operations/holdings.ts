/**
 * What the accounts that an operation touches hold, before it (checked and shown in the plan) and after it (read again).
 * Balances that cannot be read stop an operation before it is sent; afterwards they are shown as unread.
 */
import type { AccountType, Balance } from '../../model/account.ts';
import { dec, decimalText, type Decimal } from '../../model/money.ts';
import type { OpenExchange } from './open-exchange.ts';
import { listed, refusedBeforehand } from './outcome.ts';

export class Holdings {
  readonly #balances: readonly Balance[];

  constructor(balances: readonly Balance[]) {
    this.#balances = balances;
  }

  /** An account that holds none of it has no row. */
  available(account: AccountType, currency: string): Decimal {
    return dec(this.#balances.find((row) => row.account === account && row.currency === currency)?.available ?? '0');
  }

  /** Throws `operation_refused` with `insufficient_balance`, as the exchange would. */
  cover(what: string, { account, currency, amount }: { account: AccountType; currency: string; amount: string }): void {
    const available = this.available(account, currency);
    if (available.gte(amount)) return;
    const message = `${account} has ${decimalText(available)} ${currency} available, less than ${amount}`;
    throw refusedBeforehand(what, 'insufficient_balance', message, 'amount');
  }
}

/** Throws `list_incomplete`: nothing is planned on balances that are not known. */
export async function readHoldings({ exchange }: OpenExchange): Promise<Holdings> {
  return new Holdings(listed('the balances', await exchange.account.balances()));
}

/** Null when they cannot be read: what was done is done. */
export async function holdingsAfter({ exchange }: OpenExchange): Promise<Holdings | null> {
  const reading = await exchange.account.balances();
  return reading.kind === 'complete' ? new Holdings(reading.items) : null;
}
