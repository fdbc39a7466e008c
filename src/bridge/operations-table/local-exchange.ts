/** A client of this process's own, where no session has one: connected with the first request, for reads alone. */
import type { Credentials } from '../../exchange/client/credentials.ts';
import { pageRead } from '../../exchange/client/page-read.ts';
import type { ExchangeOptions } from '../../exchange/options.ts';
import { seededRandom } from '../../model/random.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import { connect, type Connection } from '../../session/connection/connection.ts';
import type { ExchangePort } from './exchange-port.ts';

export interface LocalExchangeOptions {
  readonly exchange: ExchangeOptions;
  /** Null: public reads only. */
  readonly credentials: Credentials | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface LocalExchange {
  readonly port: ExchangePort;
  close(): Promise<void>;
}

/** The sessions of this machine use the same key: theirs is the rate, and a part is left to who looks on. */
const SHARE = 4;

function withShare(exchange: ExchangeOptions): ExchangeOptions {
  const { requestsPerSecond, ordersPerSecond } = exchange.budget;
  return { ...exchange, budget: { requestsPerSecond: requestsPerSecond / SHARE, ordersPerSecond } };
}

export function localExchange({ exchange, credentials, clock, logger }: LocalExchangeOptions): LocalExchange {
  let opened: Promise<Connection> | null = null;
  const open = (): Promise<Connection> => {
    opened ??= connect({
      exchange: withShare(exchange),
      credentials,
      clock,
      random: seededRandom(1),
      logger,
      seed: 1,
    }).catch((thrown: unknown) => {
      // The next request tries again.
      opened = null;
      throw thrown;
    });
    return opened;
  };
  const hasKey = credentials !== null;
  return {
    port: {
      ownTradeSide: exchange.ownTradeSide,
      read: async (call) => {
        const { exchange: client } = await open();
        return pageRead({ http: client.http, endpoints: client.endpoints, hasKey }, call);
      },
    },
    close: async () => {
      const connection = await opened?.catch(() => null);
      await connection?.close();
    },
  };
}
