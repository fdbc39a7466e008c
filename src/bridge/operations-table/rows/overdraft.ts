/** Borrowed money. */
import { z } from 'zod';
import { overdraftLoanSchema } from '../../../exchange/wire/money/overdraft.ts';
import { moneyRow, readAll, readOne, type OperationRow } from '../operation-row.ts';
import { overdraftDocument, overdraftFee, overdraftLine, overdraftLoan } from '../outputs/account.ts';
import { amount, none } from '../parameters.ts';

const ofAmount = z.strictObject({ amount });

export const overdraftRows: readonly OperationRow[] = [
  readOne({
    name: 'overdraft.me',
    about: 'The credit line',
    endpoints: ['overdraft'],
    command: 'overdraft me',
    params: none,
    item: overdraftLine,
    run: ({ money }) => money.overdraft.status(),
  }),
  readOne({
    name: 'overdraft.loan',
    about: 'What is owed',
    endpoints: ['overdraftLoan'],
    command: 'overdraft loan',
    params: none,
    item: overdraftLoan,
    run: ({ money }) => money.overdraft.loan(),
  }),
  readOne({
    name: 'overdraft.fee',
    about: 'What a loan of an amount would cost a day',
    endpoints: ['overdraftFee'],
    command: 'overdraft fee',
    params: ofAmount,
    item: overdraftFee,
    run: ({ money }, wanted) => money.overdraft.fee(wanted.amount),
  }),
  readAll({
    name: 'overdraft.documents',
    about: 'The agreements',
    endpoints: ['overdraftDocuments'],
    command: 'overdraft documents',
    params: none,
    item: overdraftDocument,
    run: ({ money }) => money.overdraft.documents(),
  }),
  moneyRow({
    name: 'overdraft.pay',
    about: 'Repay what is borrowed, interest first',
    endpoints: ['overdraftPay'],
    command: 'overdraft pay',
    params: ofAmount,
    output: overdraftLoanSchema,
    money: 'overdraftPay',
  }),
];
