/**
 * A refusal of the exchange core: a code of the table of business refusals, said with the values. Core functions answer
 * it as a value of its own type; nothing that takes a success accepts it. The shell adds the HTTP status of the row.
 */
import type { AccountType } from '../../model/account.ts';
import type { BusinessRefusalCode } from '../../exchange/interface/refusals.ts';

export interface Refusal {
  readonly kind: 'refusal';
  readonly code: BusinessRefusalCode;
  readonly message: string;
  readonly field?: string;
  /** Set where it is the number of tries that is refused: answered as a rate limit. */
  readonly retryAfterMs?: number;
}

export function refuse(code: BusinessRefusalCode, message: string, field?: string): Refusal {
  return field === undefined ? { kind: 'refusal', code, message } : { kind: 'refusal', code, message, field };
}

/** What an account has available is less than the `amount` of the request. */
export function refuseCover(currency: string, account: AccountType): Refusal {
  return refuse('insufficient_balance', `the available ${currency} of ${account} does not cover it`, 'amount');
}

export function isRefusal(value: object): value is Refusal {
  return 'kind' in value && value.kind === 'refusal';
}
