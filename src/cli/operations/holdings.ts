/**
 * Balances before and after an operation. If unreadable before, the operation is not sent; after, they show as unread.
 */
import type { AccountType, Balance } from '../../model/trading/account.ts';
import { dec, decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { OpenExchange } from './open-exchange.ts';
import { listed, refusedBeforehand } from '../../operations/exchange/answers.ts';

export class Holdings {
  readonly #balances: readonly Balance[];

  constructor(balances: readonly Balance[]) {
    this.#balances = balances;
  }

  /** Zero for an account without a row. */
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

/** Throws `list_incomplete`: no plan without known balances. */
export async function readHoldings({ exchange }: OpenExchange): Promise<Holdings> {
  return new Holdings(listed('the balances', await exchange.account.balances()));
}

/** Balances may lag. */
const LOOKS = 3;
const LOOK_MS = 1_000;

/** As soon as they are as expected, at the latest after some seconds. Null when unreadable. */
export async function holdingsAfter(
  { exchange, clock }: OpenExchange,
  isAsExpected: (holdings: Holdings) => boolean,
): Promise<Holdings | null> {
  for (let look = 1; ; look++) {
    const reading = await exchange.account.balances();
    const holdings = reading.kind === 'complete' ? new Holdings(reading.items) : null;
    if (look === LOOKS || (holdings !== null && isAsExpected(holdings))) return holdings;
    await new Promise<void>((resolve) => {
      clock.after(LOOK_MS, resolve);
    });
  }
}
