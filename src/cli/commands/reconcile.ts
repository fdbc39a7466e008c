/**
 * `tidewire reconcile [--dry-run]`: compares the journal of a live session with the exchange and heals it.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../command.ts';
import { configSource } from '../config-option.ts';
import { keyOf } from '../operations/credentials.ts';
import type { ExecutorEvent } from '../../execution/events.ts';
import { seededRandom } from '../../model/random.ts';
import { loadConfig } from '../../session/config/load.ts';
import { connect } from '../../session/connection.ts';
import { sessionErrors } from '../../session/errors.ts';
import { heal } from '../../session/heal.ts';
import { confirmAccount } from '../../session/live.ts';
import { createLogger } from '../../session/logger.ts';
import { isRunning } from '../../session/is-running.ts';
import { findSession, listSessions, type SessionFolder } from '../../session/store.ts';
import { systemClock } from '../../session/system-clock.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly config?: string;
}

function changeText(change: ExecutorEvent): string {
  if (change.kind === 'order') {
    const { ref, side, symbol, quantity, filledQuantity, state } = change.order;
    return `  order ${ref}: ${side} ${filledQuantity}/${quantity} ${symbol} is ${state}`;
  }
  if (change.kind === 'fill') {
    const { ref, side, symbol, quantity, price } = change.fill;
    return `  fill of ${ref}: ${side} ${quantity} ${symbol} at ${price}`;
  }
  return change.kind === 'alarm' ? `  ${change.code}: ${change.message}` : `  ${change.kind}`;
}

/** A journal is compared with the exchange and account that it belongs to, and with no other. */
function chosen(root: string, wanted: string | undefined, exchange: string): SessionFolder {
  const session =
    wanted === undefined
      ? listSessions(root).find(({ record }) => record.mode === 'live' && record.exchange === exchange)
      : findSession(root, wanted);
  if (session === undefined) {
    throw sessionErrors.make('session_not_found', `there is no live session on ${exchange} under ${root}`);
  }
  const { record } = session;
  if (record.mode !== 'live' || record.exchange !== exchange) {
    const what = `${record.id} is a ${record.mode} session on ${record.exchange}, the configuration names ${exchange}`;
    throw sessionErrors.make('session_not_found', what, { session: record.id });
  }
  return session;
}

export const build: BuildCommand = (io) =>
  new Command('reconcile')
    .description('Compare the journal of a live session with the exchange, and heal it.')
    .argument('[session]', 'id or folder; the newest live session by default')
    .option('--dry-run', 'only say what differs')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire reconcile --dry-run --config config/sandbox.yaml')
    .action(
      action(io, async (wanted: string | undefined, options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const folder = chosen(resolve(io.cwd, config.journal.dir), wanted, config.exchange.baseUrl);
        const dryRun = options.dryRun === true;
        if (!dryRun && isRunning(folder)) {
          throw sessionErrors.make(
            'session_running',
            `${folder.record.id} runs in process ${folder.record.pid} and reconciles itself`,
          );
        }
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
          await confirmAccount(connection, folder.record.account);
          const report = await heal({ folder, connection, config, logger, dryRun });
          const head = report.complete
            ? `${report.session}: ${report.changes.length === 0 ? 'journal and exchange agree' : `${report.changes.length} changes${dryRun ? ' would be made, nothing was' : ' made'}`}; ${report.openOrders} open orders, ${report.unresolved} unresolved`
            : `${report.session}: not everything could be read: ${report.failures.join('; ')}`;
          return {
            json: { command: 'reconcile', ...report },
            text: [head, ...report.changes.map(changeText)].join('\n'),
            exit: report.complete ? 0 : 4,
          };
        } finally {
          await connection.close();
        }
      }),
    );
