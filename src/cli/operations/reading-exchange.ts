/** The exchange of `dashboard` and `mcp`, for reads alone: with a key where one is found without asking. */
import { localExchange, type LocalExchange } from '../../bridge/operations-table/local-exchange.ts';
import type { Credentials } from '../../exchange/client/credentials.ts';
import { messageOf } from '../../model/errors.ts';
import type { Logger } from '../../model/ports.ts';
import type { Config } from '../../session/config/schema.ts';
import { isEmbedded } from '../../session/connection/connection.ts';
import { refuseSandboxKey } from '../../session/live.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import type { CliIo } from '../command.ts';
import { keyOf } from './credentials.ts';

/** Null: the configuration names the embedded sandbox. */
export async function readingExchange(
  io: CliIo,
  config: Pick<Config, 'exchange'>,
  logger: Logger,
): Promise<LocalExchange | null> {
  if (isEmbedded(config.exchange)) return null;
  const credentials = await keyWithoutAsking(io, config);
  return localExchange({ exchange: config.exchange, credentials, clock: systemClock, logger });
}

async function keyWithoutAsking(io: CliIo, config: Pick<Config, 'exchange'>): Promise<Credentials | null> {
  const { terminal: _, ...alone } = io;
  try {
    const credentials = await keyOf(alone, config);
    if (credentials !== null) refuseSandboxKey(credentials, config);
    return credentials;
  } catch (thrown) {
    io.err(`warn without a key only public operations are read: ${messageOf(thrown)}\n`);
    return null;
  }
}
