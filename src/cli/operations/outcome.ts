/** The end of an operation: the accepted value, or a typed error. */
import type { Answer } from '../../exchange/client/operations/answer.ts';
import type { OnMoneyOutcome } from '../../exchange/client/operations/money.ts';
import type { Dispatch } from '../../exchange/client/operations/orders.ts';
import { keyRefusals, serviceRefusals } from '../../exchange/interface/refusals.ts';
import type { MoneyOutcome, Reading } from '../../model/result.ts';
import { cliErrors } from '../errors.ts';
import { adviceOn } from './refusal-advice.ts';

/** After cancels and reductions, before reads. */
const MONEY_DISPATCH: Dispatch = { lane: 'create' };

/** As a promise that never rejects. */
export function outcomeOf<T>(send: (dispatch: Dispatch, done: OnMoneyOutcome<T>) => void): Promise<MoneyOutcome<T>> {
  return new Promise((resolve) => {
    send(MONEY_DISPATCH, resolve);
  });
}

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

function refused(what: string, message: string, code: string, field: string | undefined): Error {
  const named = field === undefined ? {} : { field };
  return cliErrors.make('operation_refused', `${message}${hintOf(code)}`, { operation: what, code, ...named });
}

/** A refusal known before sending, with the exchange's code and field. */
export function refusedBeforehand(what: string, code: string, message: string, field?: string): Error {
  const where = field === undefined ? '' : ` (field ${field})`;
  return refused(what, `${what} would be refused with ${code}: ${message}${where}; nothing was sent`, code, field);
}

/**
 * Throws `operation_refused`, `operation_denied`, `operation_not_sent` or `operation_unknown`. `look`: where to look up
 * an unknown outcome.
 */
export function accepted<T>(what: string, outcome: MoneyOutcome<T>, look: string): T {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.value;
    case 'refused': {
      const { code, message, field } = outcome;
      const where = field === undefined ? '' : ` (field ${field})`;
      throw refused(what, `${what} was refused with ${code}: ${message}${where}`, code, field);
    }
    case 'denied': {
      const { reason, message } = outcome.denied;
      throw cliErrors.make('operation_denied', `${what} was denied with ${reason}: ${message}`, {
        operation: what,
        reason,
      });
    }
    case 'not-sent':
      throw cliErrors.make('operation_not_sent', `${what} was not sent: ${outcome.reason}`, { operation: what });
    case 'unknown':
      throw cliErrors.make(
        'operation_unknown',
        `it is not known whether ${what} happened: ${outcome.reason}; ${look}`,
        {
          operation: what,
          reason: outcome.reason,
          look,
        },
      );
  }
}

/** A refusal is `operation_refused`; other failures keep their error. */
export function answered<T>(what: string, answer: Answer<T>): T {
  if (answer.kind === 'value') return answer.value;
  const { code, field } = answer.error.details;
  if (typeof code !== 'string') throw answer.error;
  throw refused(what, answer.error.message, code, typeof field === 'string' ? field : undefined);
}

/** All items of a complete list. Throws `list_incomplete` otherwise: absence would prove nothing. */
export function listed<T>(what: string, reading: Reading<T>): readonly T[] {
  if (reading.kind === 'complete') return reading.items;
  if (reading.code !== undefined) throw refused(what, reading.reason, reading.code, undefined);
  const count = reading.kind === 'partial' ? `${reading.items.length} were read, then ` : '';
  throw cliErrors.make('list_incomplete', `${what}: ${count}${reading.reason}`, { operation: what });
}
