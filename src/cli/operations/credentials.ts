/** The API key of a command: from the environment, else from the key file. */
import type { Credentials } from '../../exchange/client/credentials.ts';
import type { Config } from '../../session/config/schema.ts';
import { credentialsOf, isEmbedded } from '../../session/connection/connection.ts';
import { findCredentials } from '../../session/key-file/key-file.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import type { CliIo } from '../command.ts';
import { askedFor, secretVariables } from './secrets.ts';

/** Null without a key. The embedded sandbox ignores key files. */
export async function keyOf(io: CliIo, config: Pick<Config, 'exchange'>): Promise<Credentials | null> {
  if (isEmbedded(config.exchange)) return credentialsOf(io.env);
  return findCredentials({
    cwd: io.cwd,
    environment: io.env,
    exchange: config.exchange.baseUrl,
    now: systemClock.now(),
    passphrase: (path) => askedFor(io, { name: secretVariables.passphrase, question: `Passphrase of ${path}` }),
    warn: (text) => io.err(`warn ${text}\n`),
  });
}
