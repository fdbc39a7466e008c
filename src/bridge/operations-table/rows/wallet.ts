/** Deposits and withdrawals of crypto and fiat. Whatever takes money out is on the terminal alone. */
import { z } from 'zod';
import {
  canceledWithdrawalSchema,
  cryptoAddressSchema,
  withdrawalSchema,
} from '../../../exchange/wire/money/crypto.ts';
import { fiatApplicationSchema, movedFiatApplicationSchema } from '../../../exchange/wire/money/fiat.ts';
import { depositsAndWithdrawals, fiatApplications } from '../../../operations/exchange/money-history.ts';
import { transactionExists } from '../exists.ts';
import { moneyRow, readAll, readOne, terminalRow, type OperationRow } from '../operation-row.ts';
import { cryptoAddress, transaction, withdrawalCurrency } from '../outputs/account.ts';
import { amount, currency, id, network, none, period } from '../parameters.ts';

const terminalOnly = 'it may be a withdrawal, and needs the details of a bank account';
const type = z.enum(['deposit', 'withdrawal']);
const onNetwork = z.strictObject({ currency, network });
const application = z.strictObject({ type, currency, amount, method: z.string().min(1).max(64) });
const applicationId = z.strictObject({ applicationId: id });

const cryptoRows: readonly OperationRow[] = [
  readOne({
    name: 'wallet.addresses',
    about: 'The deposit address of a currency on a network, where one was issued',
    endpoints: ['cryptoAddress'],
    command: 'wallet addresses',
    params: onNetwork,
    item: cryptoAddress,
    run: ({ money }, wanted) => money.crypto.address(wanted.currency, wanted.network),
  }),
  terminalRow({
    name: 'wallet.new-address',
    about: 'Have a new deposit address issued',
    endpoints: ['newCryptoAddress'],
    command: 'wallet new-address',
    params: onNetwork,
    output: cryptoAddressSchema,
    method: 'money.crypto.newAddress',
    moves: 'access',
    confirmation: 'none',
    terminalOnly: 'others send money to it, so it is made and compared at the exchange directly',
  }),
  readAll({
    name: 'wallet.currencies',
    about: 'What can be withdrawn on which network, from what amount, at what fee',
    endpoints: ['withdrawalCurrencies'],
    command: 'wallet currencies',
    params: none,
    item: withdrawalCurrency,
    run: ({ money }) => money.crypto.currencies(),
  }),
  readAll({
    name: 'wallet.history',
    about: 'Deposits and withdrawals, newest first',
    endpoints: ['transactions'],
    command: 'wallet history',
    params: z.strictObject({ type: type.optional(), ...period }),
    item: transaction,
    run: ({ money }, wanted) => depositsAndWithdrawals(money.transfers, wanted),
  }),
  moneyRow({
    name: 'wallet.withdraw',
    about: 'Withdraw crypto to an address of the address book',
    endpoints: ['createWithdrawal'],
    command: 'wallet withdraw',
    params: onNetwork.extend({
      address: z.string().min(1).max(256),
      memo: z.string().min(1).max(256).optional(),
      amount,
    }),
    output: withdrawalSchema,
    money: 'withdraw',
    terminalOnly: 'no withdrawal by the API, ever',
  }),
  moneyRow({
    name: 'wallet.cancel',
    about: 'Cancel a withdrawal that is not processed yet',
    endpoints: ['cancelWithdrawal'],
    command: 'wallet cancel',
    params: z.strictObject({ transactionId: id }),
    output: canceledWithdrawalSchema,
    money: 'cancelWithdrawal',
    exists: transactionExists('transactionId', 'withdrawal'),
  }),
];

const fiatRows: readonly OperationRow[] = [
  readAll({
    name: 'fiat.list',
    about: 'Fiat applications and how far they are',
    endpoints: ['transactions', 'assets'],
    command: 'fiat list',
    params: z.strictObject({
      open: z.enum(['true', 'false']).default('false').describe('Only those that are not over'),
    }),
    item: transaction,
    run: ({ money }, { open }) => fiatApplications(money, open === 'true'),
  }),
  moneyRow({
    name: 'fiat.draft',
    about: 'Write a fiat application down; nothing happens until it is submitted',
    endpoints: ['createFiatApplication'],
    command: 'fiat draft',
    params: application,
    output: fiatApplicationSchema,
    money: 'fiatCreate',
    terminalOnly,
  }),
  moneyRow({
    name: 'fiat.submit',
    about: 'Send a draft to the staff',
    endpoints: ['confirmFiatApplication'],
    command: 'fiat submit',
    params: applicationId,
    output: movedFiatApplicationSchema,
    money: 'fiatConfirm',
    terminalOnly,
  }),
  moneyRow({
    name: 'fiat.create',
    about: 'Create a fiat application and submit it to the staff at once',
    endpoints: ['submitFiatApplication'],
    command: 'fiat create',
    params: application,
    output: fiatApplicationSchema,
    money: 'fiatSubmit',
    terminalOnly,
  }),
  moneyRow({
    name: 'fiat.delete',
    about: 'Delete a fiat application that is no longer wanted',
    endpoints: ['deleteFiatApplication'],
    command: 'fiat delete',
    params: applicationId,
    output: movedFiatApplicationSchema,
    money: 'fiatDelete',
    exists: transactionExists('applicationId', 'deposit', 'withdrawal'),
  }),
];

export const walletRows: readonly OperationRow[] = [...cryptoRows, ...fiatRows];
