/**
 * Fiat applications: deposits and withdrawals through the cashier (interface, "Fiat application"). The states are those
 * of the table; staff moves happen on the clock, their delays and outcomes are assumed.
 *
 *   created ─ confirm ─▶ submitted ─ 2 min ─▶ processing ─ 5 min ─▶ completed | rejected | failed
 *   created, submitted ─ delete ─▶ canceled
 *
 * A withdrawal locks its amount of `funding` from submission to its end; a deposit credits `funding` when it is
 * completed. The application's id is that of its transaction. Pure: time is an argument.
 */
import {
  fiatTransitions,
  nextState,
  stepTo,
  type FiatApplicationType,
  type FiatTrigger,
  type TransactionStatus,
} from '../../exchange/interface/states.ts';
import { ZERO, decimalText, type Decimal } from '../../model/money.ts';
import type { Cancel } from '../../model/ports.ts';
import type { Accounts } from '../../clearing/accounts.ts';
import type { Pocket } from '../../clearing/pocket.ts';
import type { Assumed } from './assumptions.ts';
import { isRefusal, refuse, type Refusal } from './refusal.ts';
import type { AccountTimers } from './timers.ts';
import { moveTo, type Transaction, type Transactions } from './transactions.ts';

/** Methods that the simulated staff does not complete, so that the other ends can be seen. */
const endOfMethod: Readonly<Record<string, 'reject' | 'fail'>> = { 'sandbox-reject': 'reject', 'sandbox-fail': 'fail' };

export interface FiatRequest {
  readonly type: FiatApplicationType;
  readonly currency: string;
  readonly amount: Decimal;
  readonly method: string;
  /** Whatever the cashier needs, given back as it came. */
  readonly details: unknown;
}

export interface FiatApplication extends FiatRequest {
  readonly transaction: Transaction;
  readonly pocket: Pocket;
  cancelStep: Cancel;
}

export class FiatApplications {
  readonly #terms: Assumed['fiat'];
  readonly #accounts: Accounts;
  readonly #transactions: Transactions;
  readonly #timers: AccountTimers;
  readonly #byId = new Map<string, FiatApplication>();
  readonly #open = new Map<string, number>();

  constructor(terms: Assumed['fiat'], accounts: Accounts, transactions: Transactions, timers: AccountTimers) {
    this.#terms = terms;
    this.#accounts = accounts;
    this.#transactions = transactions;
    this.#timers = timers;
  }

  /** A draft, or with `submit` an application that goes to the staff at once. */
  create(userId: string, request: FiatRequest, trigger: 'create' | 'submit', now: number): FiatApplication | Refusal {
    const { minAmount, openMax } = this.#terms;
    if (request.amount.lt(minAmount)) {
      return refuse('below_minimum', `amount is below the minimum ${minAmount}`, 'amount');
    }
    if ((this.#open.get(userId) ?? 0) >= openMax) {
      return refuse('limit_reached', `${openMax} applications are open already`);
    }
    const pocket = this.#accounts.pocket(userId, 'funding', request.currency);
    const refusal = trigger === 'submit' ? this.#reserve(request, pocket) : undefined;
    if (refusal !== undefined) return refusal;
    const { type, currency, amount } = request;
    const status = stepTo(fiatTransitions, null, trigger);
    const entry = { type, status, currency, amount, fee: ZERO, account: 'funding' } as const;
    const transaction = this.#transactions.add(userId, entry, now);
    const application = { ...request, transaction, pocket, cancelStep: (): void => {} };
    this.#byId.set(transaction.transactionId, application);
    this.#count(application, 1);
    if (trigger === 'submit') this.#toStaff(application, now);
    return application;
  }

  /** Undefined when there is no such application. */
  confirm(userId: string, applicationId: string, now: number): FiatApplication | Refusal | undefined {
    const found = this.#allowed(userId, applicationId, 'confirm');
    if (found === undefined || isRefusal(found)) return found;
    const { application, status } = found;
    const refusal = this.#reserve(application, application.pocket);
    if (refusal !== undefined) return refusal;
    moveTo(application.transaction, status, now);
    this.#toStaff(application, now);
    return application;
  }

  /** Undefined when there is no such application. */
  delete(userId: string, applicationId: string, now: number): FiatApplication | Refusal | undefined {
    const found = this.#allowed(userId, applicationId, 'delete');
    if (found === undefined || isRefusal(found)) return found;
    const { application, status } = found;
    application.cancelStep();
    if (application.transaction.status === 'submitted') this.#release(application);
    this.#end(application, status, now);
    return application;
  }

  #allowed(
    userId: string,
    applicationId: string,
    trigger: FiatTrigger,
  ): { readonly application: FiatApplication; readonly status: TransactionStatus } | Refusal | undefined {
    const application = this.#byId.get(applicationId);
    if (application === undefined) return undefined;
    const { transaction } = application;
    if (transaction.userId !== userId) return refuse('not_owner', 'the application belongs to another user');
    const status = nextState(fiatTransitions, transaction.status, trigger);
    if (status !== undefined) return { application, status };
    return refuse('illegal_transition', `application ${applicationId} is ${transaction.status}: no ${trigger}`);
  }

  /** Locks what a withdrawal will take. */
  #reserve({ type, currency, amount }: FiatRequest, pocket: Pocket): Refusal | undefined {
    if (type === 'deposit' || pocket.lock(amount)) return undefined;
    return refuse('insufficient_balance', `the available ${currency} of funding does not cover it`, 'amount');
  }

  #release({ type, amount, pocket }: FiatApplication): void {
    if (type === 'withdrawal') pocket.unlock(amount);
  }

  #toStaff(application: FiatApplication, now: number): void {
    application.cancelStep = this.#timers.at(now + this.#terms.takenAfterMs, (takenAt) => {
      moveTo(application.transaction, stepOf(application, 'take'), takenAt);
      this.#timers.at(takenAt + this.#terms.doneAfterMs, (dueMs) => this.#decide(application, dueMs));
    });
  }

  #decide(application: FiatApplication, now: number): void {
    const { type, amount, pocket, method } = application;
    const trigger = Object.hasOwn(endOfMethod, method) ? endOfMethod[method] : undefined;
    if (trigger !== undefined) this.#release(application);
    else if (type === 'deposit') pocket.receive(amount, 'outside');
    else pocket.spend(amount, amount, 'outside');
    this.#end(application, stepOf(application, trigger ?? 'complete'), now);
  }

  #end(application: FiatApplication, status: TransactionStatus, now: number): void {
    moveTo(application.transaction, status, now);
    this.#count(application, -1);
  }

  #count({ transaction }: FiatApplication, change: 1 | -1): void {
    this.#open.set(transaction.userId, (this.#open.get(transaction.userId) ?? 0) + change);
  }
}

function stepOf({ transaction }: FiatApplication, trigger: FiatTrigger): TransactionStatus {
  return stepTo(fiatTransitions, transaction.status, trigger);
}

export function applicationBody({ transaction, type, method, details }: FiatApplication): object {
  return {
    applicationId: transaction.transactionId,
    type,
    currency: transaction.currency,
    amount: decimalText(transaction.amount),
    method,
    ...(details === undefined ? {} : { details }),
    status: transaction.status,
    createdAt: transaction.createdAt,
    updatedAt: transaction.updatedAt,
  };
}
