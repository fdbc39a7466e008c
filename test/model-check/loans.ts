/**
 * Overdrafts in the model (assumed): drawn by a transfer out of `overdraft`, repaid from the trading account, interest
 * first; every full day since the loan was opened adds principal × rate, to eight places, half up.
 */
import { amount, amountText, least, product, type Amount } from './amount.ts';
import { chosenText, doubtAmount, TOO_FINE, type AmountChoice } from './choice.ts';
import { agree, lineOf } from './mismatch.ts';
import type { Setting } from './setting.ts';
import type { Person } from './world.ts';

const HOUR_MS = 3_600_000;
const UNIT = amount('0.00000001');
const PLACES = 4;
const CURRENCY = 'USDT';
const ACCOUNT = 'unified-trading';

interface Loan {
  readonly openedAt: number;
  principal: Amount;
  interest: Amount;
  /** What the hours so far would have cost as days, and what of it was charged. */
  daily: Amount;
  charged: Amount;
  cancelAccrual: () => void;
}

export class Loans {
  readonly #setting: Setting;
  readonly #limit: Amount;
  readonly #rate: Amount;
  readonly #loans = new Map<Person, Loan>();

  constructor(setting: Setting) {
    this.#setting = setting;
    const terms = setting.world.read(setting.person(0), '/api/v2/credit/client/overdraft/me') as Record<string, string>;
    this.#limit = amount(terms['limit'] ?? '');
    this.#rate = amount(terms['interestRateDaily'] ?? '');
  }

  draw(person: Person, choice: AmountChoice): void {
    const free = this.#free(person);
    const text = chosenText(choice, CURRENCY, free, PLACES);
    const body = { from: 'overdraft', to: ACCOUNT, currency: CURRENCY, amount: text };
    const answer = this.#setting.world.call(person, 'POST', '/api/v1/accounting/client/transfer/account', body);
    const must = doubtAmount(text, null);
    if (text !== TOO_FINE && amount(text) > free) must.push('insufficient_balance');
    if (!this.#setting.accepted('draw', answer, must)) return;
    const value = amount(text);
    const loan = this.#loans.get(person) ?? this.#open(person);
    loan.principal += value;
    this.#setting.purse.move(person, ACCOUNT, CURRENCY, value);
    this.#setting.transaction(person, 'transfer', 'completed', CURRENCY, value, 'overdraft');
  }

  pay(person: Person, choice: AmountChoice): void {
    const loan = this.#loans.get(person);
    const owed = (loan?.principal ?? 0n) + (loan?.interest ?? 0n);
    const text = chosenText(choice, CURRENCY, owed, PLACES);
    const answer = this.#setting.world.call(person, 'POST', '/api/v2/credit/client/overdraft/pay', { amount: text });
    const must = doubtAmount(text, null);
    if (text !== TOO_FINE) {
      if (amount(text) > owed) must.push('above_maximum');
      if (this.#setting.purse.available(person, ACCOUNT, CURRENCY) < amount(text)) must.push('insufficient_balance');
    }
    if (!this.#setting.accepted('pay-loan', answer, must) || loan === undefined) return;
    const value = amount(text);
    const interest = least(value, loan.interest);
    loan.interest -= interest;
    loan.principal -= value - interest;
    this.#setting.purse.move(person, ACCOUNT, CURRENCY, -value);
    this.#setting.transaction(person, 'overdraft_repayment', 'completed', CURRENCY, value, ACCOUNT);
    if (value < owed) return;
    loan.cancelAccrual();
    this.#loans.delete(person);
  }

  check(): void {
    const { world } = this.#setting;
    for (const person of world.people) {
      const loan = this.#loans.get(person);
      const principal = loan?.principal ?? 0n;
      const interest = loan?.interest ?? 0n;
      const expected = {
        principal: amountText(principal),
        interest: amountText(interest),
        total: amountText(principal + interest),
        openedAt: loan?.openedAt ?? null,
      };
      agree(
        `loan of ${person.login}`,
        lineOf(world.read(person, '/api/v2/credit/client/overdraft/loan')),
        lineOf(expected),
      );
      const status = world.read(person, '/api/v2/credit/client/overdraft/me') as Readonly<Record<string, string>>;
      agree(`overdraft used by ${person.login}`, status['used'] ?? '', expected.total);
      agree(`overdraft of ${person.login}`, status['available'] ?? '', amountText(this.#free(person)));
    }
  }

  #free(person: Person): Amount {
    const loan = this.#loans.get(person);
    const free = this.#limit - (loan?.principal ?? 0n) - (loan?.interest ?? 0n);
    return free > 0n ? free : 0n;
  }

  #open(person: Person): Loan {
    const loan = {
      openedAt: this.#setting.now,
      principal: 0n,
      interest: 0n,
      daily: 0n,
      charged: 0n,
      cancelAccrual: () => {},
    };
    this.#loans.set(person, loan);
    this.#accrue(person, loan, loan.openedAt + HOUR_MS);
    return loan;
  }

  #accrue(person: Person, loan: Loan, dueMs: number): void {
    loan.cancelAccrual = this.#setting.at(dueMs, () => {
      loan.daily += product(loan.principal, this.#rate);
      const due = ((loan.daily + (24n * UNIT) / 2n) / (24n * UNIT)) * UNIT;
      const value = due - loan.charged;
      loan.charged = due;
      loan.interest += value;
      if (value > 0n) {
        this.#setting.transaction(person, 'overdraft_interest', 'completed', CURRENCY, value, 'overdraft');
      }
      this.#accrue(person, loan, dueMs + HOUR_MS);
    });
  }
}
