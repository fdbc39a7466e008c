/**
 * `tidewire panic [--flatten]`: latches the kill switch of running sessions, cancels every order of the account, and
 * with `--flatten` sells what the bots hold. Works without a journal and beside a broken bot. Never asks: it is the
 * emergency stop.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../command.ts';
import { configSource } from '../config-option.ts';
import { keyOf } from '../operations/credentials.ts';
import { messageOf } from '../../model/errors.ts';
import { seededRandom } from '../../model/random.ts';
import { loadConfig } from '../../session/config/load.ts';
import { connect, type Connection } from '../../session/connection.ts';
import { sessionErrors } from '../../session/errors.ts';
import { createLogger } from '../../session/logger.ts';
import { cancelEverything, flattenEverything, tellSessions } from '../../session/panic.ts';
import { systemClock } from '../../session/system-clock.ts';

interface Options {
  readonly flatten?: boolean;
  readonly config?: string;
}

/** Whose positions may be closed with this key; null when that cannot be read. */
async function loginOf({ exchange }: Connection, problems: string[]): Promise<string | null> {
  const me = await exchange.account.me();
  if (me.kind !== 'failed' && me.value.login !== null) return me.value.login;
  const reason = me.kind === 'failed' ? me.error.message : 'the exchange names no login';
  problems.push(`nothing was flattened, since the account of the key is not known: ${reason}`);
  return null;
}

export const build: BuildCommand = (io) =>
  new Command('panic')
    .description('Cancel every order of the account at once, even when the bot is broken.')
    .option('--flatten', 'also sell (or buy back) what the live sessions hold, at market')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire panic --flatten --config config/sandbox.yaml')
    .action(
      action(io, async (options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const root = resolve(io.cwd, config.journal.dir);
        const problems: string[] = [];
        const told = tellSessions(root, 'panic', problems);
        const credentials = await keyOf(io, config).catch((thrown: unknown) => {
          io.err(`${told.length} running sessions were told to stop; nothing was cancelled from here\n`);
          throw thrown;
        });
        if (credentials === null) {
          throw sessionErrors.make(
            'no_api_key',
            `running sessions were told to stop (${told.length}), but TIDEWIRE_API_KEY or TIDEWIRE_API_SECRET is not set and there is no key file, so nothing was cancelled from here`,
          );
        }
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
          const { exchange, clock, instruments } = connection;
          const cancelled = await cancelEverything(exchange, clock, problems);
          const unique = Math.floor(clock.now()).toString(36);
          const account = options.flatten === true ? await loginOf(connection, problems) : null;
          const owner = { account: account ?? '', exchange: config.exchange.baseUrl };
          const flattened =
            account === null ? [] : await flattenEverything({ exchange, instruments, root, owner, unique }, problems);
          const json = { command: 'panic', told, ...cancelled, flattened, problems };
          const done = cancelled.openAfter === 0;
          const lines = [
            `${told.length} sessions told to stop`,
            done
              ? `no order is open any more (${cancelled.canceled} cancelled in ${cancelled.requests} requests)`
              : `NOT PROVED: ${cancelled.openAfter === null ? 'the open orders could not be read' : `${cancelled.openAfter} orders are still open`}`,
            ...flattened.map(({ quantity, symbol, outcome }) => `${quantity} ${symbol}: ${outcome}`),
            ...problems,
          ];
          return { json, text: lines.join('\n'), exit: done ? 0 : 4 };
        } catch (thrown) {
          io.err(
            `${told.length} running sessions were told to stop; cancelling from here failed: ${messageOf(thrown)}\n`,
          );
          throw thrown;
        } finally {
          await connection.close();
        }
      }),
    );
