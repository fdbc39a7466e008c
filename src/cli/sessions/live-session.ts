/** Connects `plan` and `reconcile` to a live session's exchange: session, key, connection, and check of the account. */
import { resolve } from 'node:path';
import { requireUnbroken } from '../../journal/verify.ts';
import type { Logger } from '../../model/ports.ts';
import { seededRandom } from '../../model/random.ts';
import { requireCertificates } from '../../session/connection/certificates.ts';
import type { Config } from '../../session/config/schema.ts';
import { connect, type Connection } from '../../session/connection/connection.ts';
import { sessionErrors } from '../../session/errors.ts';
import { confirmAccount } from '../../session/live.ts';
import { createLogger } from '../../session/store/logger.ts';
import { presentSession } from '../../session/store/present-session.ts';
import { findSession, listSessions, type SessionFolder } from '../../session/store/store.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import type { CliIo } from '../command.ts';
import { configBeside } from '../config-option.ts';
import { keyOf } from '../operations/credentials.ts';

export interface LiveSession {
  readonly folder: SessionFolder;
  readonly connection: Connection;
  readonly config: Config;
  readonly logger: Logger;
}

export interface LiveSessionWish {
  /** Id or folder; undefined for the newest. */
  readonly session: string | undefined;
  readonly config: string | undefined;
  /** Called before any request; may throw. */
  readonly allow: (folder: SessionFolder) => void;
}

/** Throws `session_not_found` for a session without account or of another exchange. */
export function requireLiveOn({ record }: SessionFolder, exchange: string): void {
  const { id, mode } = record;
  if (mode === 'live' && record.exchange === exchange) return;
  const what =
    mode === 'live'
      ? `${id} is a session on ${record.exchange}, the configuration names ${exchange}; ${NAME_IT}`
      : `${id} is a ${mode} session: only a live one has an account at an exchange`;
  throw sessionErrors.make('session_not_found', what, { session: id });
}

const NAME_IT = 'give the configuration that the session was started with: --config FILE';

/** A journal is compared only with its own exchange and account. */
function chosen(root: string, { session: wanted, config }: LiveSessionWish, exchange: string): SessionFolder {
  if (wanted !== undefined) {
    const session = findSession(root, wanted);
    requireLiveOn(session, exchange);
    return session;
  }
  const live = listSessions(root).filter(({ record }) => record.mode === 'live');
  const session = presentSession(live.filter(({ record }) => record.exchange === exchange));
  if (session !== undefined) return session;
  const parts = [
    `there is no live session on ${exchange} under ${root}`,
    ...live.slice(0, 1).map(({ record }) => `${record.id} is one on ${record.exchange}`),
    ...(config === undefined || live.length > 0 ? [NAME_IT] : []),
  ];
  throw sessionErrors.make('session_not_found', parts.join('; '));
}

/**
 * Always closes the connection. Throws `session_not_found`, `journal_corrupt` before any request, `live_uncertified`,
 * `no_api_key`, `live_wrong_account` and errors of `work`.
 */
export async function withLiveSession<T>(
  io: CliIo,
  wish: LiveSessionWish,
  work: (session: LiveSession) => Promise<T>,
): Promise<T> {
  const config = configBeside(io, wish.config);
  const folder = chosen(resolve(io.cwd, config.journal.dir), wish, config.exchange.baseUrl);
  wish.allow(folder);
  requireCertificates(io.env, config.exchange);
  requireUnbroken(folder.path);
  const credentials = await keyOf(io, config);
  if (credentials === null)
    throw sessionErrors.make(
      'no_api_key',
      'TIDEWIRE_API_KEY or TIDEWIRE_API_SECRET is not set, and there is no key file',
    );
  const logger = createLogger({ level: 'warn', write: io.err });
  const connection = await connect({
    exchange: config.exchange,
    credentials,
    clock: systemClock,
    random: seededRandom(1),
    logger,
    seed: 1,
  });
  try {
    const { id, account } = folder.record;
    await confirmAccount(connection, account, `${id} is of ${account}`);
    return await work({ folder, connection, config, logger });
  } finally {
    await connection.close();
  }
}
