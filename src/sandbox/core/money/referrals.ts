/**
 * Referral program (interface, "Account"): inviters earn a share of fees on `referral-program`. Share and invitations
 * are assumed.
 */
import type { Decimal } from '../../../model/numbers/money.ts';
import type { MoneyPorts } from './money-ports.ts';

export class Referrals {
  readonly #ports: MoneyPorts;
  /** Invited user to inviter. */
  readonly #inviters = new Map<string, string>();

  constructor(ports: MoneyPorts) {
    this.#ports = ports;
  }

  invite(inviterId: string, userId: string): void {
    this.#inviters.set(userId, inviterId);
  }

  /** The fee is in the fee account. */
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
