/** HTTP statuses of errors, one row a code; others by their exit code. */
import type { ExitCode, TidewireError } from '../../model/errors.ts';

const STATUS: Readonly<Record<string, number>> = {
  bridge_unauthorized: 401,
  bridge_forbidden: 403,
  bridge_host: 421,
  bridge_too_many: 429,
  bridge_bad_request: 400,
  bridge_ahead: 400,
  bridge_unknown: 404,
  bridge_method: 405,
  bridge_too_large: 413,
  bridge_slow: 408,
  bridge_confirmation_needed: 409,
  bridge_not_commandable: 409,
  bridge_key_reused: 409,
  bridge_no_answer: 504,
  bridge_internal: 500,
  operation_no_key: 409,
  operation_no_exchange: 409,
  operation_answer: 503,
  operation_refused: 409,
  remote_field: 400,
  remote_strategy: 404,
  remote_ref: 404,
  remote_symbol: 404,
  limit_unknown: 400,
  limit_value: 400,
  remote_nothing: 409,
  remote_denied: 409,
  remote_not_confirmed: 409,
  remote_not_durable: 503,
  order_not_found: 404,
  order_ambiguous: 409,
  moment_not_covered: 404,
  session_not_found: 404,
  journal_not_found: 404,
  decision_not_open: 409,
  decision_choice: 400,
  signal_unknown: 404,
  signal_signature: 401,
  signal_time: 401,
  signal_invalid: 400,
  signal_seen: 409,
  signal_too_many: 429,
  signal_not_taken: 503,
};

const BY_EXIT: Readonly<Record<ExitCode, number>> = { 1: 409, 2: 400, 3: 409, 4: 503, 5: 503 };

/** Of an error that crossed a thread, `exit` is not known. */
export function statusOf({ code, exit }: Pick<TidewireError, 'code'> & { readonly exit?: ExitCode }): number {
  return STATUS[code] ?? (exit === undefined ? 409 : BY_EXIT[exit]);
}
