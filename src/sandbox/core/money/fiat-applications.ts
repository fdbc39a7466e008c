/**
 * Fiat deposits and withdrawals (interface, "Fiat application"). Delays and outcomes are assumed.
 *
 *   created ─ confirm ─▶ submitted ─ 2 min ─▶ processing ─ 5 min ─▶ completed | rejected | failed
 *   created, submitted ─ delete ─▶ canceled
 *
 * A withdrawal locks `funding` from submission on; a completed deposit credits it. The application shares its
 * transaction's id.
 */
import {
  fiatTransitions,
  stepTo,
  type FiatApplicationType,
  type FiatTrigger,
} from '../../../exchange/interface/states.ts';
import { ZERO, decimalText, type Decimal } from '../../../model/numbers/money.ts';
import type { MoneyPorts } from './money-ports.ts';
import { OpenRequests, type OpenRequest } from './open-requests.ts';
import { isRefusal, refuse, refuseCover, type Refusal } from '../refusal.ts';

/** Methods with another end, for tests. */
const endOfMethod: ReadonlyMap<string, 'reject' | 'fail'> = new Map([
  ['sandbox-reject', 'reject'],
  ['sandbox-fail', 'fail'],
]);

export interface FiatRequest {
  readonly type: FiatApplicationType;
  readonly currency: string;
  readonly amount: Decimal;
  readonly method: string;
  /** Returned unchanged. */
  readonly details: unknown;
}

export interface FiatApplication extends FiatRequest, OpenRequest {}

export class FiatApplications {
  readonly #ports: MoneyPorts;
  readonly #requests: OpenRequests<FiatApplication, FiatTrigger>;

  constructor(ports: MoneyPorts) {
    this.#ports = ports;
    this.#requests = new OpenRequests(fiatTransitions, ports.assumed.fiat, ports.timers);
  }

  /** `create`: a draft. */
  create(userId: string, request: FiatRequest, trigger: 'create' | 'submit', now: number): FiatApplication | Refusal {
    const { accounts, transactions, assumed } = this.#ports;
    const { type, currency, amount } = request;
    const { minAmount, openMax } = assumed.fiat;
    if (amount.lt(minAmount)) return refuse('below_minimum', `amount is below the minimum ${minAmount}`, 'amount');
    if (this.#requests.isFull(userId)) return refuse('limit_reached', `${openMax} applications are open already`);
    const draft = { ...request, pocket: accounts.pocket(userId, 'funding', currency), locked: ZERO };
    const refusal = trigger === 'submit' ? reserve(draft) : undefined;
    if (refusal !== undefined) return refusal;
    const status = stepTo(fiatTransitions, null, trigger);
    const entry = { type, status, currency, amount, fee: ZERO, account: 'funding' } as const;
    const transaction = transactions.add(userId, entry, now);
    const application = this.#requests.add({ ...draft, transaction, cancelStep: () => {} });
    if (trigger === 'submit') this.#toStaff(application, now);
    return application;
  }

  /** Undefined: no such application. */
  confirm(userId: string, applicationId: string, now: number): FiatApplication | Refusal | undefined {
    const application = this.#allowed(userId, applicationId, 'confirm');
    if (application === undefined || isRefusal(application)) return application;
    const refusal = reserve(application);
    if (refusal !== undefined) return refusal;
    this.#requests.step(application, 'confirm', now);
    this.#toStaff(application, now);
    return application;
  }

  /** Undefined: no such application. */
  delete(userId: string, applicationId: string, now: number): FiatApplication | Refusal | undefined {
    const application = this.#allowed(userId, applicationId, 'delete');
    if (application !== undefined && !isRefusal(application)) this.#requests.end(application, 'delete', now);
    return application;
  }

  #allowed(userId: string, applicationId: string, trigger: FiatTrigger): FiatApplication | Refusal | undefined {
    const application = this.#requests.find(applicationId);
    if (application === undefined) return undefined;
    const { transaction } = application;
    if (transaction.userId !== userId) return refuse('not_owner', 'the application belongs to another user');
    if (this.#requests.allows(application, trigger)) return application;
    return refuse('illegal_transition', `application ${applicationId} is ${transaction.status}: no ${trigger}`);
  }

  #toStaff(application: FiatApplication, now: number): void {
    this.#requests.submit(application, now, (dueMs) => this.#decide(application, dueMs));
  }

  #decide(application: FiatApplication, now: number): void {
    const { type, amount, pocket, method } = application;
    const trigger = endOfMethod.get(method) ?? 'complete';
    if (trigger === 'complete') {
      if (type === 'deposit') pocket.receive(amount, 'outside');
      else pocket.spend(amount, amount, 'outside');
      application.locked = ZERO;
    }
    this.#requests.end(application, trigger, now);
  }
}

function reserve(request: FiatRequest & Pick<OpenRequest, 'pocket' | 'locked'>): Refusal | undefined {
  const { type, currency, amount, pocket } = request;
  if (type === 'deposit') return undefined;
  if (!pocket.lock(amount)) return refuseCover(currency, 'funding');
  request.locked = amount;
  return undefined;
}

export function applicationBody({ transaction, type, method, details }: FiatApplication): object {
  return {
    applicationId: transaction.transactionId,
    type,
    currency: transaction.currency,
    amount: decimalText(transaction.amount),
    method,
    details,
    status: transaction.status,
    createdAt: transaction.createdAt,
    updatedAt: transaction.updatedAt,
  };
}
