/** `tidewire run`: real orders. Refused without `--live --confirm ACCOUNT`. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Exchange } from '../../exchange/exchange.ts';
import { messageOf } from '../../model/errors.ts';
import { action, type BuildCommand, type CliIo } from '../command.ts';
import { hasLogin, logIn } from '../operations/login.ts';
import { runSession, withRealtimeOptions, type RealtimeCommandOptions } from '../sessions/realtime-command.ts';
import { keyOf } from '../operations/credentials.ts';
import { requireCertificates } from '../../session/connection/certificates.ts';
import { requireFreeSpace } from '../../session/store/disk.ts';
import { checkKey } from '../../session/connection/key-check.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { allowLive, confirmAccount, liveVenue, watchesP2p } from '../../session/live.ts';

interface Options extends RealtimeCommandOptions {
  readonly live?: boolean;
  readonly confirm?: string;
}

const HELP = `
Example:
  npx tidewire run strategies/spread-maker.ts --config config/sandbox.yaml --live --confirm alice

Exits 0 when it ended orderly, 1 when a strategy failed or an order or a transfer of unknown outcome is left,
3 when it began and ended with its kill switch on.
Keys come from TIDEWIRE_API_KEY and TIDEWIRE_API_SECRET, or from the key file (\`tidewire keys store\`).`;

const POLLED = 'P2P is read every few seconds instead of pushed';

/** Warning when P2P has no socket for want of a login; a key's user is not asked for one. */
async function logInForP2p(io: CliIo, exchange: Exchange): Promise<readonly string[]> {
  if (!hasLogin(io)) return [`${POLLED}: set TIDEWIRE_LOGIN and TIDEWIRE_PASSWORD, or TIDEWIRE_JWT, for its socket`];
  try {
    await logIn(io, exchange);
    return [];
  } catch (thrown) {
    return [`${POLLED}: the login failed, ${messageOf(thrown)}`];
  }
}

export const build: BuildCommand = (io) =>
  withRealtimeOptions(
    new Command('run').description(
      'Run a strategy with real orders. Needs --live and --confirm with the login of the account.',
    ),
  )
    .option('--live', 'yes, real orders')
    .option('--confirm <ACCOUNT>', 'login of the account that the key belongs to')
    .addHelpText('after', HELP)
    .action(
      action(io, async (file: string | undefined, options: Options) => {
        let publicKey = '';
        let isP2p = false;
        return runSession(io, file, options, {
          mode: 'live',
          allow: async (config) => {
            const { live = false, confirm: account } = options;
            const asked = live && account !== undefined;
            const key = asked ? await keyOf(io, config) : null;
            const credentials = allowLive({ live, account, credentials: key }, config);
            requireCertificates(io.env, config.exchange);
            requireFreeSpace(resolve(io.cwd, config.journal.dir));
            publicKey = credentials.publicKey;
            isP2p = watchesP2p(config);
            return credentials;
          },
          check: async ({ exchange, instruments }, symbols) => {
            const futures = symbols.some((symbol) => instruments.find(symbol)?.market === 'derivative');
            const said = isP2p ? await logInForP2p(io, exchange) : [];
            return [...said, ...(await checkKey({ exchange, publicKey, now: systemClock.now(), futures }))];
          },
          account: options.confirm ?? '',
          confirm: (connection) => confirmAccount(connection, options.confirm ?? ''),
          makeVenue: (context, config) => liveVenue(context, context.connection.clock, config),
        });
      }),
    );
