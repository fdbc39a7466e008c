/** Opens the exchange for an operation command and always closes it. Refuses the embedded sandbox. */
import { seededRandom } from '../../model/random.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import type { Credentials } from '../../exchange/client/credentials.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { requireCertificates } from '../../session/connection/certificates.ts';
import type { Config } from '../../session/config/schema.ts';
import { connect, isEmbedded } from '../../session/connection/connection.ts';
import { sessionErrors } from '../../session/errors.ts';
import { refuseSandboxKey } from '../../session/live.ts';
import { createLogger } from '../../session/store/logger.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import type { CliIo } from '../command.ts';
import { configBeside } from '../config-option.ts';
import { cliErrors } from '../errors.ts';
import { keyOf } from './credentials.ts';
import { hasLogin, logIn } from './login.ts';
import { answered } from '../../operations/exchange/answers.ts';

export interface OperationOptions {
  readonly config?: string;
}

export interface MutatingOptions extends OperationOptions {
  readonly yes?: boolean;
  readonly again?: boolean;
}

/** `public`: no key. `key`: an API key, else a login. `login`: closed to API keys. Or a key not stored yet. */
export type OperationAccess = 'public' | 'key' | 'login' | Credentials;

export interface OpenExchange {
  readonly exchange: Exchange;
  readonly config: Config;
  /** For people: the host. */
  readonly name: string;
  /** Exchange time. */
  readonly clock: Clock;
  /** Null without a key. */
  readonly credentials: Credentials | null;
  readonly logger: Logger;
  /** A deliberate repeat (`move-money.ts`). */
  readonly again: boolean;
  /** The login of the key. One request, cached. */
  account(): Promise<string>;
}

async function keyFor(io: CliIo, config: Config, access: OperationAccess): Promise<Credentials | null> {
  if (access === 'public' || access === 'login') return null;
  const credentials = access === 'key' ? await keyOf(io, config) : access;
  if (credentials !== null) {
    refuseSandboxKey(credentials, config);
    return credentials;
  }
  if (hasLogin(io)) return null;
  throw sessionErrors.make(
    'no_api_key',
    'TIDEWIRE_API_KEY or TIDEWIRE_API_SECRET is not set, and there is no key file',
  );
}

/** Throws errors of configuration, key and network before `work` begins. */
export async function withExchange<T>(
  io: CliIo,
  options: MutatingOptions,
  access: OperationAccess,
  work: (open: OpenExchange) => Promise<T>,
): Promise<T> {
  const config = configBeside(io, options.config);
  if (isEmbedded(config.exchange)) {
    throw cliErrors.make('operation_needs_exchange', 'exchange.baseUrl, gatewayUrl or wsUrl is "sandbox"');
  }
  if (access !== 'public') requireCertificates(io.env, config.exchange);
  const credentials = await keyFor(io, config, access);
  const logger = createLogger({ level: 'warn', write: io.err });
  const random = seededRandom(1);
  const connection = await connect({
    exchange: config.exchange,
    credentials,
    clock: systemClock,
    random,
    logger,
    seed: 1,
  });
  const { exchange, name, clock } = connection;
  try {
    if (access === 'login' || (access === 'key' && credentials === null)) await logIn(io, exchange);
    let known: string | null = null;
    const account = async (): Promise<string> => {
      if (known !== null) return known;
      const { login, userId } = answered('the current user', await exchange.account.me());
      known = login ?? userId;
      return known;
    };
    return await work({ exchange, config, name, clock, credentials, logger, account, again: options.again === true });
  } finally {
    await connection.close();
  }
}
