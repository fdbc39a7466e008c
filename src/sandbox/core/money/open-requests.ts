/**
 * Withdrawals and fiat applications in progress. Each locks money until its end; after submission two steps run on the
 * clock, then its area decides. Bounded per user.
 */
import { nextState, stepTo, type TransactionStatus, type TransitionRow } from '../../../exchange/interface/states.ts';
import type { Decimal } from '../../../model/numbers/money.ts';
import type { Cancel } from '../../../model/ports.ts';
import type { Pocket } from '../../../clearing/pocket.ts';
import type { AccountTimers } from '../timers.ts';
import { moveTo, type Transaction } from './transactions.ts';

export interface OpenRequest {
  readonly transaction: Transaction;
  readonly pocket: Pocket;
  /** In `pocket`. */
  locked: Decimal;
  /** Cancels the next clock step. */
  cancelStep: Cancel;
}

interface RequestTerms {
  readonly takenAfterMs: number;
  readonly doneAfterMs: number;
  readonly openMax: number;
}

export class OpenRequests<Request extends OpenRequest, Trigger extends string> {
  readonly #rows: readonly TransitionRow<TransactionStatus, Trigger | 'take'>[];
  readonly #terms: RequestTerms;
  readonly #timers: AccountTimers;
  readonly #byId = new Map<string, Request>();
  readonly #open = new Set<Request>();

  constructor(
    rows: readonly TransitionRow<TransactionStatus, Trigger | 'take'>[],
    terms: RequestTerms,
    timers: AccountTimers,
  ) {
    this.#rows = rows;
    this.#terms = terms;
    this.#timers = timers;
  }

  isFull(userId: string): boolean {
    const open = [...this.#open].filter(({ transaction }) => transaction.userId === userId);
    return open.length >= this.#terms.openMax;
  }

  add(request: Request): Request {
    this.#byId.set(request.transaction.transactionId, request);
    this.#open.add(request);
    return request;
  }

  find(transactionId: string): Request | undefined {
    return this.#byId.get(transactionId);
  }

  allows({ transaction }: Request, trigger: Trigger): boolean {
    return nextState(this.#rows, transaction.status, trigger) !== undefined;
  }

  step({ transaction }: Request, trigger: Trigger | 'take', now: number): void {
    moveTo(transaction, stepTo(this.#rows, transaction.status, trigger), now);
  }

  submit(request: Request, now: number, decide: (dueMs: number) => void): void {
    const { takenAfterMs, doneAfterMs } = this.#terms;
    request.cancelStep = this.#timers.at(now + takenAfterMs, (takenAt) => {
      this.step(request, 'take', takenAt);
      this.#timers.at(takenAt + doneAfterMs, decide);
    });
  }

  end(request: Request, trigger: Trigger, now: number): void {
    request.cancelStep();
    request.pocket.unlock(request.locked);
    this.step(request, trigger, now);
    this.#open.delete(request);
  }
}
