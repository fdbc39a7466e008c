/** Requires an API key, whose secret seals the address book; a login is not enough. */
import type { Credentials } from '../../../exchange/client/credentials.ts';
import { sessionErrors } from '../../../session/errors.ts';
import type { OpenExchange } from '../../operations/open-exchange.ts';

/** Throws `no_api_key`. */
export function needCredentials({ credentials }: OpenExchange): Credentials {
  if (credentials !== null) return credentials;
  throw sessionErrors.make('no_api_key', 'the address book is sealed with an API key, and none is set');
}
