/** The exchange for `panic` and the watchdog. Cancels do not wait for the clock. */
import type { Credentials } from '../../exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../exchange/exchange.ts';
import type { ExchangeOptions } from '../../exchange/options.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import { seededRandom } from '../../model/random.ts';
import { isEmbedded } from '../connection/connection.ts';
import { sessionErrors } from '../errors.ts';

export interface EmergencyOptions {
  readonly exchange: ExchangeOptions;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Throws `live_no_exchange`. */
export function emergencyExchange({ exchange: options, credentials, clock, logger }: EmergencyOptions): Exchange {
  if (isEmbedded(options)) {
    throw sessionErrors.make('live_no_exchange', 'exchange.baseUrl, gatewayUrl or wsUrl is "sandbox"');
  }
  const exchange = createExchange({ options, credentials, clock, random: seededRandom(1), logger });
  void exchange.clockOffset.measure();
  return exchange;
}
