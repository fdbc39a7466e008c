/**
 * `tidewire paper`: a strategy on live public streams with a simulated account. No key is read; nothing could be sent.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../command.ts';
import { configSource, durationOption, repeated, seedOption } from '../config-option.ts';
import { resultText } from '../result-text.ts';
import { keptMessages, showSession } from '../session-screen.ts';
import { checkTypes } from '../type-check.ts';
import { parseParamTexts } from '../../strategy/params.ts';
import { seededRandom } from '../../model/random.ts';
import { loadConfig } from '../../session/config/load.ts';
import { connect } from '../../session/connection.ts';
import { createLogger } from '../../session/logger.ts';
import { openFolder } from '../../session/open-folder.ts';
import { paperVenue } from '../../session/paper.ts';
import { realtimeResult } from '../../session/realtime-result.ts';
import { runRealtime } from '../../session/realtime.ts';
import { sessionFiles } from '../../session/store.ts';
import { prepareStrategies, tradedSymbols } from '../../session/strategies.ts';
import { systemClock } from '../../session/system-clock.ts';
import { sessionEnd } from '../../session/until.ts';

interface Options {
  readonly for?: string;
  readonly param?: readonly string[];
  readonly config?: string;
  readonly seed?: string;
  readonly new?: boolean;
  readonly json?: boolean;
}

export const build: BuildCommand = (io) =>
  new Command('paper')
    .description('Run a strategy on live public streams with a simulated account.')
    .argument('[strategy]', 'strategy file; those of the configuration by default')
    .option('--for <DURATION>', 'stop after this time; else on Ctrl-C')
    .option('--param <k=v>', 'a parameter of the strategy; repeatable', repeated)
    .option('--config <FILE>', 'configuration file')
    .option('--seed <N>', 'seed of the embedded sandbox and of everything random', '1')
    .option('--new', 'start a new session even when one was left unfinished')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire paper strategies/spread-maker.ts --for 60s --param halfSpreadBps=2',
    )
    .action(
      action(io, async (file: string | undefined, options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const forMs = durationOption('for', options.for);
        const seed = seedOption(options.seed) ?? 1;
        const strategies = await prepareStrategies({
          file,
          params: parseParamTexts(options.param ?? []),
          entries: config.strategies,
        });
        const types = checkTypes(strategies.map((strategy) => strategy.file));
        const random = seededRandom(seed);
        const root = resolve(io.cwd, config.journal.dir);
        const messages = keptMessages();
        const quiet = options.json === true;
        const connection = await connect({
          exchange: config.exchange,
          credentials: null,
          clock: systemClock,
          random,
          logger: createLogger({ level: 'warn', write: io.err }),
          seed,
        });
        try {
          tradedSymbols(strategies, connection.instruments, connection.name);
          const folder = openFolder({
            root,
            mode: 'paper',
            strategies,
            seed,
            account: 'paper',
            exchange: config.exchange.baseUrl,
            fresh: options.new === true,
            now: systemClock.now(),
          });
          if (folder.record.boots > 1)
            io.err(`resuming ${folder.record.id}, which did not end orderly (--new starts afresh)\n`);
          const logger = createLogger({
            level: 'info',
            file: resolve(folder.path, sessionFiles.log),
            ...(io.isTty && !quiet ? { onLine: messages.add } : { write: io.err }),
          });
          const run = await runRealtime({
            mode: 'paper',
            config,
            strategies,
            folder,
            connection,
            random,
            seed,
            logger,
            makeVenue: (context) => paperVenue(context, config, random),
            until: (clock, failed) => sessionEnd({ clock, forMs, interrupted: io.interrupted, failed }),
            onStart: (session) => {
              void types.then((problems) => {
                for (const problem of problems) logger.warn({}, problem);
              });
              return showSession(io, session, forMs, messages, quiet);
            },
          });
          const { result, summary } = realtimeResult(run);
          const text = `${resultText(io, result)}\nsession     ${folder.path}\nNext: npx tidewire report ${summary.files['result'] ?? ''}`;
          return { json: summary, text, exit: run.reason === 'error' ? 1 : 0 };
        } finally {
          await connection.close();
        }
      }),
    );
