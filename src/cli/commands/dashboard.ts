/** `tidewire dashboard`: the dashboard of all sessions of this machine, running or over, without one of its own. */
import { join } from 'node:path';
import { Command } from 'commander';
import { remoteLink } from '../../bridge/fleet/remote-link.ts';
import { startServer } from '../../bridge/server/bridge-server.ts';
import { keepToken } from '../../bridge/thread/address-file.ts';
import { loadConfig } from '../../session/config/load.ts';
import { createLogger } from '../../session/store/logger.ts';
import { sessionEnd } from '../../session/clock/until.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { action, type BuildCommand } from '../command.ts';
import { sessionsRoot } from '../sessions/sessions-root.ts';
import { configSource, durationOption } from '../config-option.ts';
import { readingExchange } from '../operations/reading-exchange.ts';
import { dashboardWish } from '../sessions/dashboard-option.ts';

interface Options {
  readonly data?: string;
  readonly port?: string;
  readonly behindProxy?: boolean;
  readonly for?: string;
  readonly config?: string;
}

/** Beside the sessions, where a name with a dot is none of them. */
const OWN_FOLDER = '.dashboard';

const HELP = `
A session that runs with a dashboard of its own takes commands from here too; for one without, use the terminal.
What the exchange says is read where the configuration names one: of the account with the key of the environment or of a
key file (TIDEWIRE_KEY_PASSPHRASE).

Example:
  npx tidewire dashboard --data data --port 8899`;

export const build: BuildCommand = (io) =>
  new Command('dashboard')
    .description('Serve the dashboard of all sessions of this machine, running or over.')
    .option('--data <DIR>', 'folder of the sessions, or the one above it; `journal.dir` by default')
    .option('--port <PORT>', 'this port or the next free one; 0: any')
    .option('--behind-proxy', 'a proxy before it encrypts (dashboard.public)')
    .option('--for <DURATION>', 'stop after this time; else on Ctrl-C')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', HELP)
    .action(
      action(io, async ({ data, port, behindProxy = false, for: time, config: file }: Options) => {
        const loaded = loadConfig(configSource(io, file));
        const forMs = durationOption('for', time);
        const wish = dashboardWish(io, { dashboard: port ?? true, behindProxy }, loaded, true)!;
        const { given, ...task } = wish;
        const root = sessionsRoot(io, data, task.root);
        const secret = keepToken(join(root, OWN_FOLDER), given);
        const logger = createLogger({ level: 'warn', write: io.err });
        const exchange = await readingExchange(io, loaded.config, logger);
        const server = await startServer({
          task: { ...task, root, secret },
          own: null,
          linkTo: remoteLink,
          exchange: exchange?.port ?? null,
          clock: systemClock,
          logger,
        });
        io.err(`dashboard ${server.url}/#token=${secret}\n`);
        try {
          await sessionEnd({ clock: systemClock, forMs, interrupted: io.interrupted });
        } finally {
          await server.close();
          await exchange?.close();
        }
        return { json: { command: 'dashboard', url: server.url }, text: '' };
      }),
    );
