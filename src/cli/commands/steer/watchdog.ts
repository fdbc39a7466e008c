/**
 * `tidewire watchdog SESSION`: exit 0 when the session ended or on interrupt, 3 when it latched and no order is open, 4
 * when that is not confirmed.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configSource, durationOption } from '../../config-option.ts';
import { requireLiveOn } from '../../sessions/live-session.ts';
import { keyOf } from '../../operations/credentials.ts';
import { watchRules } from '../../../operations/watchdog/configured-rules.ts';
import { ExchangeEyes } from '../../../operations/watchdog/exchange-sight.ts';
import { watch } from '../../../operations/watchdog/watch.ts';
import { sinksOf } from '../../../session/alerts/options.ts';
import { AlertService } from '../../../session/alerts/service.ts';
import { requireCertificates } from '../../../session/connection/certificates.ts';
import { loadConfig } from '../../../session/config/load.ts';
import { emergencyExchange } from '../../../session/emergency/emergency.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { createLogger } from '../../../session/store/logger.ts';
import { isRunning } from '../../../session/store/is-running.ts';
import { findSession, listSessions, type SessionFolder } from '../../../session/store/store.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

interface Options {
  readonly config?: string;
  readonly every?: string;
  readonly stale?: string;
  readonly disagree?: string;
}

const ACTIONS = {
  watchdog: 'Check the session and the exchange; the latch is not pulled yet.',
  pulled: 'See that no order is open; find out why before the latch is cleared.',
} as const;

const HELP = `
Pulls the latch (the kill file of the session, and every order of the account cancelled) when the bot does not move while
orders rest, when positions or orders at the exchange are beyond the limits under risk: in the configuration, when journal
and exchange disagree for long, and when the day's loss at the exchange has reached its limit. Asks the exchange for four
things at each look. Exit 3 when it has pulled, 4 when it could not confirm that no order is open.

Example:
  npx tidewire watchdog live-spread-maker-20260105-101500-3f2a --config config/sandbox.yaml`;

/** A supervisor starts it before it knows the id. Throws `session_not_found`. */
function watchedIn(root: string, wanted: string | undefined): SessionFolder {
  if (wanted !== undefined) return findSession(root, wanted);
  const running = listSessions(root, () => {}).find((one) => one.record.mode === 'live' && isRunning(one));
  if (running !== undefined) return running;
  throw sessionErrors.make('session_not_found', `no live session under ${root} runs`);
}

export const build: BuildCommand = (io) =>
  new Command('watchdog')
    .description('Watch a live session from another process, and pull its kill switch when it must be.')
    .argument('[session]', 'id or folder of a live session; the newest that runs by default')
    .option('--every <DURATION>', 'between two checks of journal and exchange', '5s')
    .option('--stale <DURATION>', 'the bot may stand still for this long', '10s')
    .option('--disagree <DURATION>', 'journal and exchange may differ for this long', '60s')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', HELP)
    .action(
      action(io, async (wanted: string | undefined, options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const session = watchedIn(resolve(io.cwd, config.journal.dir), wanted);
        requireLiveOn(session, config.exchange.baseUrl);
        const { path, record } = session;
        requireCertificates(io.env, config.exchange);
        const credentials = await keyOf(io, config);
        if (credentials === null) throw sessionErrors.make('no_api_key', 'a watchdog without a key could not cancel');
        const logger = createLogger({ level: 'warn', write: io.err });
        const alerts = new AlertService({
          sinks: sinksOf(config.alerts),
          session: record.id,
          mode: 'watchdog',
          clock: systemClock,
          logger,
        });
        const exchange = emergencyExchange({ exchange: config.exchange, credentials, clock: systemClock, logger });
        try {
          const report = await watch({
            path,
            exchange,
            eyes: new ExchangeEyes(exchange, config.account.reporting, config.reconcile.balanceTolerance),
            rules: watchRules(
              config.risk,
              durationOption('stale', options.stale) ?? 0,
              durationOption('disagree', options.disagree) ?? 0,
            ),
            clock: systemClock,
            logger,
            everyMs: durationOption('every', options.every) ?? 0,
            tell: (code, text) => alerts.page(code, text, ACTIONS[code]),
            stop: io.interrupted,
          });
          const { pulled, ended, looks } = report;
          const proved = pulled?.openAfter === 0;
          const text =
            pulled === null
              ? `${ended === 'session' ? 'the session has ended' : 'stopped'} after ${looks} looks; nothing was pulled`
              : `pulled: ${pulled.reason}\n${proved ? `no order is open any more (${pulled.canceled} cancelled)` : 'NOT CONFIRMED that no order is open'}`;
          const exit = pulled === null ? 0 : proved ? 3 : 4;
          return { json: { command: 'watchdog', session: record.id, ...report }, text, exit };
        } finally {
          await exchange.close();
          await alerts.close();
        }
      }),
    );
