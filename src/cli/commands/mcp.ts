/** `tidewire mcp`: the sessions and the research of this machine for an AI client, over stdin and stdout. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { Fleet } from '../../bridge/fleet/fleet.ts';
import { remoteLink } from '../../bridge/fleet/remote-link.ts';
import { researchTools } from '../../bridge/mcp/research-tools.ts';
import { routeTools } from '../../bridge/mcp/route-tools.ts';
import { serveMcp } from '../../bridge/mcp/server.ts';
import { routesOf } from '../../bridge/routes/routes.ts';
import { Tokens } from '../../bridge/server/tokens.ts';
import { SignalDoor } from '../../bridge/signals/door.ts';
import { tidewireVersion } from '../../session/store/build.ts';
import { LEDGER_PATH } from '../../research/ledger/trial-ledger.ts';
import { progressFolder } from '../../research/sweep/progress/progress-file.ts';
import { loadConfig } from '../../session/config/load.ts';
import { createLogger } from '../../session/store/logger.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { action, type BuildCommand } from '../command.ts';
import { readingExchange } from '../operations/reading-exchange.ts';
import { sessionsRoot } from '../sessions/sessions-root.ts';
import { configSource } from '../config-option.ts';

interface Options {
  readonly data?: string;
  readonly armed?: boolean;
  readonly config?: string;
}

const HELP = `
Speaks the Model Context Protocol over stdin and stdout. Reads sessions, results, recordings and, where the configuration
names one, the exchange. Runs backtests and sweeps (each is counted in the trial ledger), and with --armed gives commands
that remove risk to sessions with a dashboard. What adds risk is left to a human.

Example:
  npx tidewire mcp --armed

As an entry of the client's configuration:
  {"command": "npx", "args": ["tidewire", "mcp"], "cwd": "/home/me/bots"}`;

export const build: BuildCommand = (io) =>
  new Command('mcp')
    .description('Serve sessions and research to an AI client, over stdin and stdout.')
    .option('--data <DIR>', 'folder of the sessions, or the one above it; `journal.dir` by default')
    .option('--armed', 'with what removes risk: pause, cancel, flatten, stop, kill, cancelling offers and withdrawals')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', HELP)
    .action(
      action(io, async ({ data, armed = false, config: file }: Options) => {
        const { config } = loadConfig(configSource(io, file));
        const root = sessionsRoot(io, data, config.journal.dir);
        const version = tidewireVersion();
        const clock = systemClock;
        const fleet = new Fleet({ root, currency: config.account.reporting, clock, own: null, linkTo: remoteLink });
        const logger = createLogger({ level: 'warn', write: io.err });
        const exchange = await readingExchange(io, config, logger);
        const routes = routesOf({
          fleet,
          tokens: new Tokens(crypto.randomUUID()),
          cookieName: 'none',
          isEncrypted: () => false,
          clock,
          logger,
          exchange: exchange?.port ?? null,
          version,
          startedAt: clock.now(),
          settings: [],
          resultFolders: [resolve(io.cwd), resolve(io.cwd, 'results')],
          sweepFolders: [progressFolder(resolve(io.cwd, LEDGER_PATH))],
          recordingFolders: [resolve(io.cwd, config.recording.dir), resolve(io.cwd, 'data')],
          signals: new SignalDoor({}, clock),
          clients: () => 0,
        });
        const program = { command: [process.execPath, process.argv[1] ?? ''] as const, cwd: io.cwd, env: io.env };
        const tools = [
          ...routeTools(routes, { isArmed: armed, hasExchange: exchange !== null }),
          ...researchTools({ ...program, command: [...program.command] }),
        ];
        try {
          await serveMcp({ version, tools, out: io.out }, io.interrupted);
        } finally {
          fleet.close();
          await exchange?.close();
        }
        return { json: { command: 'mcp' }, text: '' };
      }),
    );
