/**
 * `tidewire record`: raw public frames (and private ones, with a key) to a recording.
 */
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../command.ts';
import { configSource, durationOption, seedOption } from '../config-option.ts';
import { createLogger } from '../../session/store/logger.ts';
import { requireCertificates } from '../../session/connection/certificates.ts';
import { isEmbedded } from '../../session/connection/connection.ts';
import { loadConfig } from '../../session/config/load.ts';
import { keyOf } from '../operations/credentials.ts';
import { sessionErrors } from '../../session/errors.ts';
import { record } from '../../session/record.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { sessionEnd } from '../../session/clock/until.ts';
import { seededRandom } from '../../model/random.ts';

interface Options {
  readonly symbols: string;
  readonly for?: string;
  readonly out?: string;
  readonly config?: string;
  readonly seed?: string;
}

export const build: BuildCommand = (io) =>
  new Command('record')
    .description('Record raw frames of the exchange, to be backtested later.')
    .requiredOption('--symbols <A,B>', 'what to record')
    .option('--for <DURATION>', 'stop after this time; else on Ctrl-C')
    .option('--out <DIR>', 'the recording; a new folder under recording.dir by default')
    .option('--seed <N>', 'seed of the embedded sandbox')
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire record --symbols BTCUSDT,ETHUSDT --for 60s --out data/recordings/first',
    )
    .action(
      action(io, async (options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const symbols = options.symbols
          .split(',')
          .map((symbol) => symbol.trim())
          .filter((symbol) => symbol !== '');
        if (symbols.length === 0)
          throw sessionErrors.make('bad_option', '--symbols names no symbol', { option: 'symbols' });
        const seed = seedOption(options.seed) ?? 1;
        const forMs = durationOption('for', options.for);
        const stamp = new Date(systemClock.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
        const dir = resolve(io.cwd, options.out ?? join(config.recording.dir, `${symbols[0] ?? ''}-${stamp}`));
        const credentials = await keyOf(io, config);
        if (credentials !== null && !isEmbedded(config.exchange)) requireCertificates(io.env, config.exchange);
        const logger = createLogger({ level: 'warn', write: io.err });
        const summary = await record({
          config,
          symbols,
          dir,
          credentials,
          clock: systemClock,
          random: seededRandom(seed),
          logger,
          seed,
          until: (clock, failed) => sessionEnd({ clock, forMs, interrupted: io.interrupted, failed }),
          ...(io.isTty ? { progress: (frames: number) => io.err(`\r${frames} frames`) } : {}),
        });
        const seconds = ((summary.to - summary.from) / 1000).toFixed(1);
        return {
          json: { command: 'record', ...summary },
          text: `${io.isTty ? '\n' : ''}${summary.frames} frames in ${seconds} s -> ${summary.dir}\nNext: npx tidewire backtest strategies/spread-maker.ts --data ${summary.dir}`,
        };
      }),
    );
