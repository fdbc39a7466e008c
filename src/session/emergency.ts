/**
 * The exchange for a stop in an emergency: made from addresses and key alone. Nothing is read before the first cancel can
 * leave, neither instruments nor the time: the clock is measured beside it, and again when the exchange says that a
 * signature's time is off. Used by `panic` and the watchdog.
 */
import type { Credentials } from '../exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../exchange/exchange.ts';
import type { ExchangeOptions } from '../exchange/options.ts';
import type { Clock, Logger } from '../model/ports.ts';
import { seededRandom } from '../model/random.ts';
import { isEmbedded } from './connection.ts';
import { sessionErrors } from './errors.ts';

export interface EmergencyOptions {
  readonly exchange: ExchangeOptions;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Throws `live_no_exchange` for the embedded sandbox: nothing of it outlives its process. */
export function emergencyExchange({ exchange: options, credentials, clock, logger }: EmergencyOptions): Exchange {
  if (isEmbedded(options)) {
    throw sessionErrors.make('live_no_exchange', 'exchange.baseUrl, gatewayUrl or wsUrl is "sandbox"');
  }
  const exchange = createExchange({ options, credentials, clock, random: seededRandom(1), logger });
  void exchange.clockOffset.measure();
  return exchange;
}
