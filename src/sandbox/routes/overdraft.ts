/**
 * Overdrafts (interface, "Endpoints"; wire profile, "assumed bodies of the documented money operations"). Enabled for
 * every user of the sandbox.
 */
import { decimalText } from '../../model/money.ts';
import { owed, type Loan } from '../core/overdrafts.ts';
import { isRefusal } from '../core/refusal.ts';
import { readInnerAmount } from './money.ts';
import { ok, type PrivateRoutes } from './route.ts';

const documents = [
  { documentId: 'overdraft-terms', title: 'Overdraft terms', url: 'https://sandbox.invalid/documents/overdraft-terms' },
];

function loanBody(loan: Loan): object {
  return {
    principal: decimalText(loan.principal),
    interest: decimalText(loan.interest),
    total: decimalText(owed(loan)),
    openedAt: loan.openedAt,
  };
}

export const overdraftRoutes: PrivateRoutes = {
  overdraft: ({ shell, caller }) => {
    const { overdrafts } = shell.exchange.money;
    const { userId } = caller.user;
    const { limit, interestRateDaily, currency } = overdrafts.terms;
    return ok({
      enabled: true,
      limit: decimalText(limit),
      used: decimalText(owed(overdrafts.loan(userId))),
      available: decimalText(overdrafts.available(userId)),
      interestRateDaily: decimalText(interestRateDaily),
      currency,
    });
  },

  overdraftLoan: ({ shell, caller }) => ok(loanBody(shell.exchange.money.overdrafts.loan(caller.user.userId))),

  overdraftFee: ({ shell, query }) => {
    const amount = readInnerAmount(query);
    return ok({
      amount: decimalText(amount),
      feePerDay: decimalText(shell.exchange.money.overdrafts.feePerDay(amount)),
    });
  },

  overdraftDocuments: () => ok(documents),

  overdraftPay: ({ shell, caller, body, now }) => {
    const loan = shell.exchange.money.overdrafts.pay(caller.user.userId, readInnerAmount(body), now);
    return isRefusal(loan) ? loan : ok(loanBody(loan));
  },
};
