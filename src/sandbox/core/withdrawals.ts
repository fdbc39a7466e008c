/**
 * Crypto withdrawals and the deposits that they become at own addresses, on the clock (interface, "crypto"; wire
 * profile, "Sandbox contract"). All delays are assumed.
 *
 *   submitted ─ 90 s ─▶ processing ─ 60 s ─▶ completed | failed          submitted ─ cancel ─▶ canceled
 *   completed at an address of this exchange ─▶ deposit: processing ─ confirmations ─▶ completed
 *
 * Amount and fee are locked from the request until the end; then they leave, or come free again. Pure: time is an
 * argument.
 */
import {
  nextState,
  stepTo,
  withdrawalTransitions,
  type TransactionStatus,
  type WithdrawalTrigger,
} from '../../exchange/interface/states.ts';
import { ZERO, decimalText, type Decimal } from '../../model/money.ts';
import type { Cancel } from '../../model/ports.ts';
import type { Accounts } from '../../clearing/accounts.ts';
import type { Pocket } from '../../clearing/pocket.ts';
import type { Destination, DepositAddresses } from './addresses.ts';
import type { Assumed } from './assumptions.ts';
import type { ChainNetworks, CurrencyNetwork } from './networks.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { AccountTimers } from './timers.ts';
import { moveTo, type Transaction, type Transactions } from './transactions.ts';

/** The simulated chain refuses addresses that end like this, so that a failed withdrawal can be seen. */
export const FAILING_ADDRESS_END = '-fail';

export interface WithdrawalRequest extends Destination {
  readonly route: CurrencyNetwork;
  readonly amount: Decimal;
}

export interface Withdrawal extends WithdrawalRequest {
  readonly transaction: Transaction;
  readonly pocket: Pocket;
  cancelStep: Cancel;
}

interface Deps {
  readonly terms: Assumed['withdrawals'];
  readonly accounts: Accounts;
  readonly chains: ChainNetworks;
  readonly addresses: DepositAddresses;
  readonly transactions: Transactions;
  readonly timers: AccountTimers;
}

export class Withdrawals {
  readonly #deps: Deps;
  readonly #byId = new Map<string, Withdrawal>();
  readonly #open = new Map<string, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  submit(userId: string, request: WithdrawalRequest, now: number): Withdrawal | Refusal {
    const { route, amount } = request;
    const { currency, minAmount, fee } = route;
    if (amount.lt(minAmount)) {
      return refuse('below_minimum', `amount is below the minimum ${decimalText(minAmount)} ${currency}`, 'amount');
    }
    const { accounts, transactions, terms } = this.#deps;
    if ((this.#open.get(userId) ?? 0) >= terms.openMax) {
      return refuse('limit_reached', `${terms.openMax} withdrawals are open already`);
    }
    const pocket = accounts.pocket(userId, 'funding', currency);
    if (!pocket.lock(amount.plus(fee))) {
      return refuse(
        'insufficient_balance',
        `the available ${currency} of funding does not cover amount and fee`,
        'amount',
      );
    }
    const status = stepTo(withdrawalTransitions, null, 'submit');
    const entry = { type: 'withdrawal', status, currency, amount, fee, account: 'funding' } as const;
    const transaction = transactions.add(userId, entry, now);
    const withdrawal = { ...request, transaction, pocket, cancelStep: (): void => {} };
    this.#byId.set(transaction.transactionId, withdrawal);
    this.#count(withdrawal, 1);
    this.#later(withdrawal, now + terms.takenAfterMs, (dueMs) => this.#take(withdrawal, dueMs));
    return withdrawal;
  }

  /** Before processing only. Undefined when there is no such withdrawal. */
  cancel(userId: string, transactionId: string, now: number): Withdrawal | Refusal | undefined {
    const withdrawal = this.#byId.get(transactionId);
    if (withdrawal === undefined) return undefined;
    const { status, userId: owner } = withdrawal.transaction;
    if (owner !== userId) return refuse('not_owner', `withdrawal ${transactionId} belongs to another user`);
    if (status === 'canceled') {
      return refuse('illegal_transition', `withdrawal ${transactionId} is canceled already`);
    }
    const canceled = nextState(withdrawalTransitions, status, 'cancel');
    if (canceled === undefined) return refuse('already_processing', `withdrawal ${transactionId} is ${status}`);
    withdrawal.cancelStep();
    this.#end(withdrawal, canceled, now);
    return withdrawal;
  }

  #take(withdrawal: Withdrawal, now: number): void {
    moveTo(withdrawal.transaction, stepOf(withdrawal, 'take'), now);
    this.#later(withdrawal, now + this.#deps.terms.doneAfterMs, (dueMs) => {
      if (withdrawal.address.endsWith(FAILING_ADDRESS_END)) {
        this.#end(withdrawal, stepOf(withdrawal, 'fail'), dueMs);
      } else this.#complete(withdrawal, dueMs);
    });
  }

  /** Releases what is locked. */
  #end(withdrawal: Withdrawal, status: TransactionStatus, now: number): void {
    const { route, amount, pocket, transaction } = withdrawal;
    pocket.unlock(amount.plus(route.fee));
    moveTo(transaction, status, now);
    this.#count(withdrawal, -1);
  }

  #complete(withdrawal: Withdrawal, now: number): void {
    const { addresses } = this.#deps;
    const { route, amount, pocket, transaction } = withdrawal;
    pocket.spend(amount, amount, 'outside');
    pocket.spend(route.fee, route.fee, 'fees');
    moveTo(transaction, stepOf(withdrawal, 'complete'), now);
    this.#count(withdrawal, -1);
    const owner = addresses.at(route, withdrawal);
    if (owner !== undefined) this.#receive(owner.userId, route, amount, now);
  }

  /** A payment on the chain to an address of ours. */
  #receive(userId: string, route: CurrencyNetwork, amount: Decimal, now: number): void {
    const { accounts, chains, transactions, timers } = this.#deps;
    const { currency } = route;
    const entry = { type: 'deposit', status: 'processing', currency, amount, fee: ZERO, account: 'funding' } as const;
    const transaction = transactions.add(userId, entry, now);
    timers.at(now + chains.confirmationMs(route), (dueMs) => {
      accounts.pocket(userId, 'funding', currency).receive(amount, 'outside');
      moveTo(transaction, 'completed', dueMs);
    });
  }

  #later(withdrawal: Withdrawal, dueMs: number, run: (dueMs: number) => void): void {
    withdrawal.cancelStep = this.#deps.timers.at(dueMs, run);
  }

  #count({ transaction }: Withdrawal, change: 1 | -1): void {
    this.#open.set(transaction.userId, (this.#open.get(transaction.userId) ?? 0) + change);
  }
}

function stepOf({ transaction }: Withdrawal, trigger: WithdrawalTrigger): TransactionStatus {
  return stepTo(withdrawalTransitions, transaction.status, trigger);
}

export function withdrawalBody({ transaction, route, address, memo }: Withdrawal): object {
  return {
    transactionId: transaction.transactionId,
    status: transaction.status,
    currency: route.currency,
    network: route.network,
    address,
    ...(memo === undefined ? {} : { memo }),
    amount: decimalText(transaction.amount),
    fee: decimalText(transaction.fee),
    createdAt: transaction.createdAt,
    updatedAt: transaction.updatedAt,
  };
}
