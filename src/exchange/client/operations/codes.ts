/**
 * Codes (vouchers) over REST. Whoever knows the text of a code owns its money: never log what these operations take or
 * answer. After an unknown creation, `list` tells whether the code exists, and `full` its text.
 */
import type { Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import {
  codeDetailSchema,
  codeSchema,
  newCodeSchema,
  type CodeDetail,
  type CodeRow,
  type NewCode,
} from '../../wire/codes.ts';
import { readObject, type Answer } from './answer.ts';
import { checkedAmount, invalidField, sendMoney, type MoneyPorts, type OnMoneyOutcome } from './money.ts';
import type { Dispatch } from './orders.ts';
import { readPages } from './pages.ts';

export interface CodeRequest {
  readonly currency: string;
  /** Decimal text above zero; debited from `funding`. */
  readonly amount: string;
  /** Login of the only user who may redeem it. */
  readonly recipient?: string;
  readonly comment?: string;
}

export interface CodeOperations {
  /** Refusals: `insufficient_balance`, `below_minimum`. */
  create(request: CodeRequest, dispatch: Dispatch, done: OnMoneyOutcome<NewCode>): void;
  /** Refusals: `code_not_found`, `code_already_activated`, `not_owner`. */
  redeem(code: string, dispatch: Dispatch, done: OnMoneyOutcome<CodeRow>): void;
  /** Own codes, newest first; all of them without `activated`. */
  list(activated?: boolean): Promise<Reading<CodeRow>>;
  full(codeId: string): Promise<Answer<CodeDetail>>;
}

export function createCodeOperations(ports: MoneyPorts, lane: Lane): CodeOperations {
  const { http, clock } = ports;
  return Object.freeze({
    create(request: CodeRequest, dispatch: Dispatch, done: OnMoneyOutcome<NewCode>) {
      const { currency } = request;
      const { amount, invalid } = checkedAmount(request.amount);
      const body = { ...request, amount };
      const repeats = { currency, amount };
      sendMoney(ports, { endpoint: 'createCode', body, schema: newCodeSchema, repeats, invalid }, dispatch, done);
    },
    redeem(code: string, dispatch: Dispatch, done: OnMoneyOutcome<CodeRow>) {
      const invalid = code === '' ? invalidField('code', 'the code is empty') : null;
      const repeats = { status: 'activated' } as const;
      const call = { endpoint: 'redeemCode', body: { code }, schema: codeSchema, repeats, invalid } as const;
      sendMoney(ports, call, dispatch, done);
    },
    list: (activated?: boolean) =>
      readPages(http, clock, { endpoint: 'codes', lane, query: { activated }, paged: true }, codeSchema),
    full: (codeId: string) =>
      readObject(http, { endpoint: 'codeDetail', lane, body: { codeId } }, codeDetailSchema, { codeId }),
  });
}
