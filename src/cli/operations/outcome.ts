/** The end of an operation: the accepted value, or a typed error. */
import type { OnMoneyOutcome } from '../../exchange/client/operations/money.ts';
import type { Dispatch } from '../../exchange/client/operations/orders.ts';
import type { MoneyOutcome } from '../../model/result.ts';
import { refusedWith } from '../../operations/exchange/answers.ts';
import { cliErrors } from '../errors.ts';

/** After cancels and reductions, before reads. */
const MONEY_DISPATCH: Dispatch = { lane: 'create' };

/** It was done, but not as asked. `id`: the exchange's, of what was made. */
export function contradicted(what: string, id: string | null, message: string): Error {
  return cliErrors.make('operation_contradicted', `${what}: ${message}`, { operation: what, id });
}

/** As a promise that never rejects. */
export function outcomeOf<T>(send: (dispatch: Dispatch, done: OnMoneyOutcome<T>) => void): Promise<MoneyOutcome<T>> {
  return new Promise((resolve) => {
    send(MONEY_DISPATCH, resolve);
  });
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
      throw refusedWith(what, `${what} was refused with ${code}: ${message}${where}`, code, field);
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
