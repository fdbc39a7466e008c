/**
 * The referral program (interface, "Account"): every user has one invite link, and whoever invited a user earns a part
 * of the fees that this user pays, at once, on the `referral-program` account. Assumed: the part, and that the first
 * user of the sandbox invited the others. Pure.
 */
import type { Decimal } from '../../model/money.ts';
import type { MoneyPorts } from './money-ports.ts';

export class Referrals {
  readonly #ports: MoneyPorts;
  /** Invited user to the one who invited. */
  readonly #inviters = new Map<string, string>();

  constructor(ports: MoneyPorts) {
    this.#ports = ports;
  }

  invite(inviterId: string, userId: string): void {
    this.#inviters.set(userId, inviterId);
  }

  /** A user paid a fee, which lies in the fee account by now. */
  onFee(userId: string, currency: string, fee: Decimal, now: number): void {
    const { accounts, assumed, transactions } = this.#ports;
    const inviter = this.#inviters.get(userId);
    const amount = fee.times(assumed.referralShare);
    if (inviter === undefined || amount.lte(0)) return;
    const account = 'referral-program';
    accounts.pocket(inviter, account, currency).receive(amount, 'fees');
    transactions.complete(inviter, { type: 'referral', currency, amount, account }, now);
  }
}

export function referralLinkId(userId: string): string {
  return `r-${userId}`;
}
