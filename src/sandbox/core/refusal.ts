/** A refusal of the core, by business code; the shell adds the HTTP status. */
import type { AccountType } from '../../model/trading/account.ts';
import type { BusinessRefusalCode } from '../../exchange/interface/refusals.ts';

export interface Refusal {
  readonly kind: 'refusal';
  readonly code: BusinessRefusalCode;
  readonly message: string;
  readonly field?: string;
  /** Too many attempts: answered as a rate limit. */
  readonly retryAfterMs?: number;
}

export function refuse(code: BusinessRefusalCode, message: string, field?: string): Refusal {
  return field === undefined ? { kind: 'refusal', code, message } : { kind: 'refusal', code, message, field };
}

export function refuseCover(currency: string, account: AccountType): Refusal {
  return refuse('insufficient_balance', `the available ${currency} of ${account} does not cover it`, 'amount');
}

export function isRefusal(value: object): value is Refusal {
  return 'kind' in value && value.kind === 'refusal';
}
