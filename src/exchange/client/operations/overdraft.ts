/** Overdrafts over REST (interface, "Overdrafts"). Drawing is a transfer out of `overdraft` (assumed). */
import type { Lane } from '../../../model/ports.ts';
import {
  overdraftDocumentSchema,
  overdraftFeeSchema,
  overdraftLoanSchema,
  overdraftSchema,
  type OverdraftDocument,
  type OverdraftFee,
  type OverdraftStatus,
} from '../../wire/overdraft.ts';
import type { OverdraftLoan } from '../../../model/money-records.ts';
import { readList, readObject, type Answer } from './answer.ts';
import { checkedAmount, sendMoney, type MoneyPorts, type OnMoneyOutcome } from './money.ts';
import type { Dispatch } from './orders.ts';

export interface OverdraftOperations {
  status(): Promise<Answer<OverdraftStatus>>;
  loan(): Promise<Answer<OverdraftLoan>>;
  /** What a loan of `amount` would cost a day. */
  fee(amount: string): Promise<Answer<OverdraftFee>>;
  documents(): Promise<Answer<readonly OverdraftDocument[]>>;
  /** Repays, interest first; answers what is owed afterwards. Refusals: `insufficient_balance`, `above_maximum`. */
  pay(amount: string, dispatch: Dispatch, done: OnMoneyOutcome<OverdraftLoan>): void;
}

export function createOverdraftOperations(ports: MoneyPorts, lane: Lane): OverdraftOperations {
  const { http } = ports;
  return Object.freeze({
    status: () => readObject(http, { endpoint: 'overdraft', lane }, overdraftSchema),
    loan: () => readObject(http, { endpoint: 'overdraftLoan', lane }, overdraftLoanSchema),
    fee: (amount: string) =>
      readObject(http, { endpoint: 'overdraftFee', lane, query: { amount } }, overdraftFeeSchema),
    documents: () => readList(http, { endpoint: 'overdraftDocuments', lane }, overdraftDocumentSchema),
    pay(asked: string, dispatch: Dispatch, done: OnMoneyOutcome<OverdraftLoan>) {
      const { amount, invalid } = checkedAmount(asked);
      const call = { endpoint: 'overdraftPay', body: { amount }, schema: overdraftLoanSchema, repeats: {} } as const;
      sendMoney(ports, { ...call, invalid }, dispatch, done);
    },
  });
}
