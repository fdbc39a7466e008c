/** What the exchange says of a parameter, as the API says it of any other. */
import { z } from 'zod';
import { isTidewireError } from '../../model/errors.ts';
import { bridgeErrors } from '../errors.ts';
import { errorAnswerOf } from '../server/error-answer.ts';
import type { RouteAnswer } from '../server/route.ts';

const STATUS_OF_REFUSAL: Readonly<Record<string, number>> = {
  bad_request: 400,
  unknown_symbol: 400,
  not_found: 404,
  no_address: 404,
  unknown_order: 404,
  illegal_transition: 409,
};

/** Throws everything else. */
export function refusalOf(thrown: unknown): RouteAnswer {
  if (!isTidewireError(thrown)) {
    if (!(thrown instanceof z.ZodError)) throw thrown;
    throw bridgeErrors.make('operation_answer', z.prettifyError(thrown));
  }
  if (thrown.code === 'bridge_too_many') return { ...errorAnswerOf(thrown), headers: { 'retry-after': '1' } };
  const status = STATUS_OF_REFUSAL[String(thrown.details['code'])];
  if (thrown.code !== 'operation_refused' || status === undefined) throw thrown;
  return { ...errorAnswerOf(thrown), status };
}
