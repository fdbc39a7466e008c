/**
 * The referral program (interface, "Account"): every user has one invite link, and whoever invited a user earns a part
 * of the fees that this user pays, at once, on the `referral-program` account. Assumed: the part, and that the first
 * user of the sandbox invited the others. Pure.
 */
import { ZERO, type Decimal } from '../../model/money.ts';
import type { Accounts } from '../../clearing/accounts.ts';
import type { Transactions } from './transactions.ts';

export class Referrals {
  readonly #share: string;
  readonly #accounts: Accounts;
  readonly #transactions: Transactions;
  /** Invited user to the one who invited. */
  readonly #inviters = new Map<string, string>();

  /** `share`: of the fee, a fraction. */
  constructor(share: string, accounts: Accounts, transactions: Transactions) {
    this.#share = share;
    this.#accounts = accounts;
    this.#transactions = transactions;
  }

  invite(inviterId: string, userId: string): void {
    this.#inviters.set(userId, inviterId);
  }

  /** A user paid a fee, which lies in the fee account by now. */
  onFee(userId: string, currency: string, fee: Decimal, now: number): void {
    const inviter = this.#inviters.get(userId);
    const amount = fee.times(this.#share);
    if (inviter === undefined || amount.lte(0)) return;
    const account = 'referral-program';
    this.#accounts.pocket(inviter, account, currency).receive(amount, 'fees');
    const entry = { type: 'referral', status: 'completed', currency, amount, fee: ZERO, account } as const;
    this.#transactions.add(inviter, entry, now);
  }
}

export function referralLinkId(userId: string): string {
  return `r-${userId}`;
}
