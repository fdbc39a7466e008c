/** An error as the answer of a request. No stack, no path of this machine beyond what the message of a code says. */
import { isTidewireError } from '../../model/errors.ts';
import { bridgeErrors } from '../errors.ts';
import type { RouteAnswer } from './route.ts';
import type { ErrorAnswer } from '../schemas/common.ts';
import { statusOf } from './http-status.ts';

export function errorAnswerOf(thrown: unknown): RouteAnswer {
  const error = isTidewireError(thrown)
    ? thrown
    : bridgeErrors.make('bridge_internal', 'the request failed; the log of the session says why');
  const { code, message, remedy, details } = error;
  const { field, hint = remedy } = details;
  const json: ErrorAnswer = {
    error: { code, message, ...(typeof field === 'string' ? { field } : {}), hint: String(hint) },
  };
  const status = statusOf(error);
  // The rest of a body that is not read must not be waited for.
  const closes = status === 413 || status === 408;
  return { status, json, ...(closes ? { headers: { connection: 'close' } } : {}) };
}

/** A shape that zod refuses: the first field that is wrong. */
export function badRequest(
  where: string,
  issues: readonly {
    readonly path: readonly PropertyKey[];
    readonly message: string;
    readonly code?: string;
    readonly keys?: readonly string[];
  }[],
): Error {
  const [first] = issues;
  const path = (first?.path ?? []).map(String).join('.');
  const field = first?.keys?.[0] ?? (path === '' ? where : path);
  return bridgeErrors.make('bridge_bad_request', `${where}: ${first?.message ?? 'cannot be read'}`, { field });
}
