/**
 * A credit line per user (assumed). Simple interest on the principal every full hour; the remainder below eight places
 * carries over, so a day costs exactly the daily rate. Invariants: the house account `lender` equals the principal, 0
 * <= principal <= limit.
 */
import { type Decimal, ZERO, decimalText, dec, smaller, greater } from '../../../model/numbers/money.ts';
import type { Cancel } from '../../../model/ports.ts';
import type { Assumed } from '../assumptions.ts';
import type { MoneyPorts } from './money-ports.ts';
import { refuse, refuseCover, type Refusal } from '../refusal.ts';

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const INTEREST_PLACES = 8;
const ACCOUNT = 'unified-trading';

export interface Loan {
  readonly principal: Decimal;
  readonly interest: Decimal;
  /** Null without debt. */
  readonly openedAt: number | null;
}

const noLoan: Loan = { principal: ZERO, interest: ZERO, openedAt: null };

interface OpenLoan {
  readonly openedAt: number;
  principal: Decimal;
  interest: Decimal;
  /** Hourly sums of a whole day's interest, and the part charged. */
  dailyInterest: Decimal;
  charged: Decimal;
  cancelAccrual: Cancel;
}

export class Overdrafts {
  readonly terms: Assumed['overdraft'];
  readonly #ports: MoneyPorts;
  readonly #loans = new Map<string, OpenLoan>();

  constructor(ports: MoneyPorts) {
    this.terms = ports.assumed.overdraft;
    this.#ports = ports;
  }

  loan(userId: string): Loan {
    return this.#loans.get(userId) ?? noLoan;
  }

  /** What may still be drawn. */
  available(userId: string): Decimal {
    return greater(ZERO, dec(this.terms.limit).minus(owed(this.loan(userId))));
  }

  /** Eight places, half up. */
  feePerDay(principal: Decimal): Decimal {
    return principal.times(this.terms.interestRateDaily).toDecimalPlaces(INTEREST_PLACES, 'half-up');
  }

  /** `amount` is above zero. */
  draw(userId: string, amount: Decimal, now: number): Refusal | undefined {
    if (amount.gt(this.available(userId))) {
      return refuse('insufficient_balance', `only ${decimalText(this.available(userId))} can be drawn`, 'amount');
    }
    this.#ports.accounts.pocket(userId, ACCOUNT, this.terms.currency).receive(amount, 'lender');
    const loan = this.#loans.get(userId) ?? this.#open(userId, now);
    loan.principal = loan.principal.plus(amount);
    return undefined;
  }

  /** Interest first. Returns the remaining debt. */
  pay(userId: string, amount: Decimal, now: number): Loan | Refusal {
    const { currency } = this.terms;
    const loan = this.#loans.get(userId);
    const total = owed(loan ?? noLoan);
    if (amount.isZero()) return refuse('below_minimum', 'amount must be above zero', 'amount');
    if (loan === undefined || amount.gt(total)) {
      return refuse('above_maximum', `no more than ${decimalText(total)} ${currency} is owed`, 'amount');
    }
    const pocket = this.#ports.accounts.pocket(userId, ACCOUNT, currency);
    if (pocket.available.lt(amount)) return refuseCover(currency, ACCOUNT);
    const interest = smaller(amount, loan.interest);
    const principal = amount.minus(interest);
    pocket.pay(interest, 'fees');
    pocket.pay(principal, 'lender');
    loan.interest = loan.interest.minus(interest);
    loan.principal = loan.principal.minus(principal);
    const entry = { type: 'overdraft_repayment', currency, amount, account: ACCOUNT } as const;
    this.#ports.transactions.complete(userId, entry, now);
    if (amount.eq(total)) {
      loan.cancelAccrual();
      this.#loans.delete(userId);
    }
    return this.loan(userId);
  }

  #open(userId: string, now: number): OpenLoan {
    const none = { principal: ZERO, interest: ZERO, dailyInterest: ZERO, charged: ZERO };
    const loan = { openedAt: now, ...none, cancelAccrual: (): void => {} };
    this.#loans.set(userId, loan);
    this.#accrueAt(userId, loan, now + HOUR_MS);
    return loan;
  }

  #accrueAt(userId: string, loan: OpenLoan, dueMs: number): void {
    loan.cancelAccrual = this.#ports.timers.at(dueMs, (now) => {
      loan.dailyInterest = loan.dailyInterest.plus(loan.principal.times(this.terms.interestRateDaily));
      const due = loan.dailyInterest.div(HOURS_A_DAY).toDecimalPlaces(INTEREST_PLACES, 'half-up');
      const amount = due.minus(loan.charged);
      loan.charged = due;
      if (!amount.isZero()) {
        loan.interest = loan.interest.plus(amount);
        const { currency } = this.terms;
        const entry = { type: 'overdraft_interest', currency, amount, account: 'overdraft' } as const;
        this.#ports.transactions.complete(userId, entry, now);
      }
      this.#accrueAt(userId, loan, now + HOUR_MS);
    });
  }
}

export function owed({ principal, interest }: Pick<Loan, 'principal' | 'interest'>): Decimal {
  return principal.plus(interest);
}
