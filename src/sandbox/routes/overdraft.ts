/** Overdrafts. */
import { decimalText } from '../../model/numbers/money.ts';
import { owed, type Loan } from '../core/money/overdrafts.ts';
import { readInnerAmount } from './money.ts';
import { answer, ok, type PrivateRoutes } from './route.ts';

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
  overdraft: ({ exchange, user: { userId } }) => {
    const { overdrafts } = exchange.money;
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

  overdraftLoan: ({ exchange, user }) => ok(loanBody(exchange.money.overdrafts.loan(user.userId))),

  overdraftFee: ({ exchange, query }) => {
    const amount = readInnerAmount(query);
    const feePerDay = exchange.money.overdrafts.feePerDay(amount);
    return ok({ amount: decimalText(amount), feePerDay: decimalText(feePerDay) });
  },

  overdraftDocuments: () => ok(documents),

  overdraftPay: ({ exchange, user, body, now }) =>
    answer(exchange.money.overdrafts.pay(user.userId, readInnerAmount(body), now), loanBody),
};
