/**
 * The variable that switches Node's check of certificates off: whoever shows any certificate is then taken for the
 * exchange (C09). Nothing that is signed and no login may leave with it; only `panic`, which must not be stopped, warns.
 */
import { sessionErrors } from './errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const UNCERTIFIED = 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off';

export function isUncertified(env: Environment): boolean {
  return env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
}

/** Throws `live_uncertified`. */
export function requireCertificates(env: Environment): void {
  if (isUncertified(env)) throw sessionErrors.make('live_uncertified', UNCERTIFIED);
}
