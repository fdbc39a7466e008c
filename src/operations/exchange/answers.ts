/** What a read of the exchange is worth: its value, or a typed error that says what to do. For terminal and API alike. */
import type { Answer } from '../../exchange/client/operations/answer.ts';
import { keyRefusals, serviceRefusals } from '../../exchange/interface/refusals.ts';
import type { Reading } from '../../model/result.ts';
import { operationErrors } from '../errors.ts';
import { adviceOn } from './refusal-advice.ts';

const ofKey: ReadonlySet<string> = new Set(keyRefusals.map(({ code }) => code));
const ofLogin: ReadonlySet<string> = new Set(
  serviceRefusals.filter(({ status }) => status === 401).map(({ code }) => code),
);

function hintOf(code: string): string {
  if (ofKey.has(code)) return '; the key was refused, not the request: see `tidewire keys status`';
  if (ofLogin.has(code)) return '; the login was refused: check login, password and 2FA code';
  const advice = adviceOn(code);
  return advice === null ? '' : `; ${advice}`;
}

/** `operation_refused` with the exchange's code and field. */
export function refusedWith(what: string, message: string, code: string, field: string | undefined): Error {
  const named = field === undefined ? {} : { field };
  return operationErrors.make('operation_refused', `${message}${hintOf(code)}`, { operation: what, code, ...named });
}

/** A refusal known before sending, with the exchange's code and field. */
export function refusedBeforehand(what: string, code: string, message: string, field?: string): Error {
  const where = field === undefined ? '' : ` (field ${field})`;
  return refusedWith(what, `${what} would be refused with ${code}: ${message}${where}; nothing was sent`, code, field);
}

/** A refusal is `operation_refused`; other failures keep their error. */
export function answered<T>(what: string, answer: Answer<T>): T {
  if (answer.kind === 'value') return answer.value;
  const { code, field } = answer.error.details;
  if (typeof code !== 'string') throw answer.error;
  throw refusedWith(what, answer.error.message, code, typeof field === 'string' ? field : undefined);
}

/** All items of a complete list. Throws `list_incomplete` otherwise, because a missing item would be no evidence. */
export function listed<T>(what: string, reading: Reading<T>): readonly T[] {
  if (reading.kind === 'complete') return reading.items;
  if (reading.code !== undefined) throw refusedWith(what, reading.reason, reading.code, undefined);
  const count = reading.kind === 'partial' ? `${reading.items.length} were read, then ` : '';
  throw operationErrors.make('list_incomplete', `${what}: ${count}${reading.reason}`, { operation: what });
}
