/**
 * Crypto withdrawals. Delays are assumed; amount and fee are locked until the end.
 *
 *   submitted ─ 90 s ─▶ processing ─ 60 s ─▶ completed | failed          submitted ─ cancel ─▶ canceled
 *   completed at an address of this exchange ─▶ deposit: processing ─ confirmations ─▶ completed
 */
import { stepTo, withdrawalTransitions, type WithdrawalTrigger } from '../../../exchange/interface/states.ts';
import { ZERO, decimalText, type Decimal } from '../../../model/numbers/money.ts';
import type { Destination, DepositAddresses } from './addresses.ts';
import type { MoneyPorts } from './money-ports.ts';
import type { CurrencyNetwork } from './networks.ts';
import { OpenRequests, type OpenRequest } from './open-requests.ts';
import { refuse, type Refusal } from '../refusal.ts';
import { moveTo } from './transactions.ts';

/** Such addresses fail, for tests. */
export const FAILING_ADDRESS_END = '-fail';

export interface WithdrawalRequest extends Destination {
  readonly route: CurrencyNetwork;
  readonly amount: Decimal;
}

export interface Withdrawal extends WithdrawalRequest, OpenRequest {}

interface WithdrawalPorts extends MoneyPorts {
  readonly addresses: DepositAddresses;
}

export class Withdrawals {
  readonly #ports: WithdrawalPorts;
  readonly #requests: OpenRequests<Withdrawal, WithdrawalTrigger>;

  constructor(ports: WithdrawalPorts) {
    this.#ports = ports;
    this.#requests = new OpenRequests(withdrawalTransitions, ports.assumed.withdrawals, ports.timers);
  }

  submit(userId: string, request: WithdrawalRequest, now: number): Withdrawal | Refusal {
    const { route, amount } = request;
    const { currency, minAmount, fee } = route;
    const { accounts, transactions, assumed } = this.#ports;
    if (amount.lt(minAmount)) {
      return refuse('below_minimum', `amount is below the minimum ${decimalText(minAmount)} ${currency}`, 'amount');
    }
    if (this.#requests.isFull(userId)) {
      return refuse('limit_reached', `${assumed.withdrawals.openMax} withdrawals are open already`);
    }
    const pocket = accounts.pocket(userId, 'funding', currency);
    const locked = amount.plus(fee);
    if (!pocket.lock(locked)) {
      const message = `the available ${currency} of funding does not cover amount and fee`;
      return refuse('insufficient_balance', message, 'amount');
    }
    const status = stepTo(withdrawalTransitions, null, 'submit');
    const entry = { type: 'withdrawal', status, currency, amount, fee, account: 'funding' } as const;
    const transaction = transactions.add(userId, entry, now);
    const withdrawal = this.#requests.add({ ...request, transaction, pocket, locked, cancelStep: () => {} });
    this.#requests.submit(withdrawal, now, (dueMs) => this.#decide(withdrawal, dueMs));
    return withdrawal;
  }

  /** Before processing only. Undefined: no such withdrawal. */
  cancel(userId: string, transactionId: string, now: number): Withdrawal | Refusal | undefined {
    const withdrawal = this.#requests.find(transactionId);
    if (withdrawal === undefined) return undefined;
    const { status, userId: owner } = withdrawal.transaction;
    if (owner !== userId) return refuse('not_owner', `withdrawal ${transactionId} belongs to another user`);
    if (status === 'canceled') {
      return refuse('illegal_transition', `withdrawal ${transactionId} is canceled already`);
    }
    if (!this.#requests.allows(withdrawal, 'cancel')) {
      return refuse('already_processing', `withdrawal ${transactionId} is ${status}`);
    }
    this.#requests.end(withdrawal, 'cancel', now);
    return withdrawal;
  }

  #decide(withdrawal: Withdrawal, now: number): void {
    const { route, amount, pocket, address } = withdrawal;
    if (address.endsWith(FAILING_ADDRESS_END)) {
      this.#requests.end(withdrawal, 'fail', now);
      return;
    }
    pocket.spend(amount, amount, 'outside');
    pocket.spend(route.fee, route.fee, 'fees');
    withdrawal.locked = ZERO;
    this.#requests.end(withdrawal, 'complete', now);
    const owner = this.#ports.addresses.at(route, withdrawal);
    if (owner !== undefined) this.#receive(owner.userId, route, amount, now);
  }

  #receive(userId: string, route: CurrencyNetwork, amount: Decimal, now: number): void {
    const { accounts, transactions, timers } = this.#ports;
    const { currency, confirmations, chain } = route;
    const entry = { type: 'deposit', status: 'processing', currency, amount, fee: ZERO, account: 'funding' } as const;
    const transaction = transactions.add(userId, entry, now);
    timers.at(now + confirmations * chain.blockMs, (dueMs) => {
      accounts.pocket(userId, 'funding', currency).receive(amount, 'outside');
      moveTo(transaction, 'completed', dueMs);
    });
  }
}

export function withdrawalBody({ transaction, route, address, memo }: Withdrawal): object {
  return {
    transactionId: transaction.transactionId,
    status: transaction.status,
    currency: route.currency,
    network: route.network,
    address,
    memo,
    amount: decimalText(transaction.amount),
    fee: decimalText(transaction.fee),
    createdAt: transaction.createdAt,
    updatedAt: transaction.updatedAt,
  };
}
