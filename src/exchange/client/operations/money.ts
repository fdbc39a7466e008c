/** Sends money requests once each. An answer that does not match the request is `unknown`. */
import type { z } from 'zod';
import { dec, decimalText, isDecimalText } from '../../../model/numbers/money.ts';
import type { Clock } from '../../../model/ports.ts';
import type { MoneyOutcome } from '../../../model/result.ts';
import type { EndpointName } from '../../interface/endpoints.ts';
import { decodeObject } from '../../wire/body.ts';
import { failureOf } from '../echoed-secrets.ts';
import type { CallResult } from '../classify.ts';
import type { HttpClient } from '../http.ts';
import { otherField } from './answer.ts';
import type { Dispatch } from './orders.ts';

export type OnMoneyOutcome<T> = (outcome: MoneyOutcome<T>) => void;

/** Local, with the exchange's code and field. */
export type Refused = Extract<MoneyOutcome<never>, { kind: 'refused' }>;

export interface MoneyPorts {
  readonly http: HttpClient;
  readonly clock: Clock;
}

export interface MoneyCall<T> {
  readonly endpoint: EndpointName;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly schema: z.ZodType<T>;
  readonly repeats: Partial<T>;
  readonly invalid?: Refused | null;
}

/** `done` is called exactly once, never inside this call. */
export function sendMoney<T extends object>(
  { http, clock }: MoneyPorts,
  { endpoint, params, body, schema, repeats, invalid }: MoneyCall<T>,
  dispatch: Dispatch,
  done: OnMoneyOutcome<T>,
): void {
  if (invalid !== undefined && invalid !== null) {
    clock.after(0, () => done(invalid));
    return;
  }
  const call = {
    endpoint,
    ...dispatch,
    ...(params === undefined ? {} : { params }),
    ...(body === undefined ? {} : { body }),
  };
  http.call(call, (result) => done(outcomeOf(endpoint, schema, repeats, result)));
}

function outcomeOf<T extends object>(
  endpoint: EndpointName,
  schema: z.ZodType<T>,
  repeats: Partial<T>,
  result: CallResult,
): MoneyOutcome<T> {
  switch (result.kind) {
    case 'refused': {
      const { code, message, field } = result;
      return { kind: 'refused', code, message, ...(field === undefined ? {} : { field }) };
    }
    case 'unknown':
      return { kind: 'unknown', reason: result.reason };
    case 'not-sent':
    case 'denied':
      return result;
    case 'ok': {
      const answer = decodeObject(schema, endpoint, result.json);
      if (answer.kind === 'failure') return { kind: 'unknown', reason: failureOf(endpoint, answer).text };
      const other = otherField(repeats, answer.value);
      if (other === null) return { kind: 'accepted', value: answer.value };
      return { kind: 'unknown', reason: `${endpoint} answered another ${other} than was asked for` };
    }
  }
}

export function invalidField(field: string, message: string): Refused {
  return { kind: 'refused', code: 'bad_request', message, field };
}

export function oneOf(field: string, value: string, known: ReadonlySet<string>): Refused | null {
  return known.has(value) ? null : invalidField(field, `${field} ${value} is none of ${[...known].join(', ')}`);
}

export function checkedAmount(
  amount: string,
  field = 'amount',
): { readonly amount: string; readonly invalid: Refused | null } {
  if (isDecimalText(amount) && dec(amount).gt(0)) return { amount: decimalText(amount), invalid: null };
  return { amount, invalid: invalidField(field, `${field} ${amount} is not a plain decimal above zero`) };
}
