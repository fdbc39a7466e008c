/** The variable that disables Node's certificate check (C09): with it nothing signed is sent, except by `panic`. */
import { sessionErrors } from '../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const UNCERTIFIED = 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the check of certificates off';

export function isUncertified(env: Environment): boolean {
  return env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
}

/** Throws `live_uncertified`. */
export function requireCertificates(env: Environment): void {
  if (isUncertified(env)) throw sessionErrors.make('live_uncertified', UNCERTIFIED);
}
