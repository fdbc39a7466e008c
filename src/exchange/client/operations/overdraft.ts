/** Overdrafts (interface, "Overdrafts"). Drawing is a transfer out of `overdraft` (assumed). */
import type { Lane } from '../../../model/ports.ts';
import {
  overdraftDocumentSchema,
  overdraftFeeSchema,
  overdraftLoanSchema,
  overdraftSchema,
  type OverdraftDocument,
  type OverdraftFee,
  type OverdraftStatus,
} from '../../wire/money/overdraft.ts';
import type { OverdraftLoan } from '../../../model/funds/money-records.ts';
import { readList, readObject, type Answer } from './answer.ts';
import type { MoneyPorts } from './money.ts';

export interface OverdraftOperations {
  status(): Promise<Answer<OverdraftStatus>>;
  loan(): Promise<Answer<OverdraftLoan>>;
  /** Per day for a loan of `amount`. */
  fee(amount: string): Promise<Answer<OverdraftFee>>;
  documents(): Promise<Answer<readonly OverdraftDocument[]>>;
}

export function createOverdraftOperations({ http }: MoneyPorts, lane: Lane): OverdraftOperations {
  return Object.freeze({
    status: () => readObject(http, { endpoint: 'overdraft', lane }, overdraftSchema),
    loan: () => readObject(http, { endpoint: 'overdraftLoan', lane }, overdraftLoanSchema),
    fee: (amount: string) =>
      readObject(http, { endpoint: 'overdraftFee', lane, query: { amount } }, overdraftFeeSchema),
    documents: () => readList(http, { endpoint: 'overdraftDocuments', lane }, overdraftDocumentSchema),
  });
}
