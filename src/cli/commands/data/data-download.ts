/** `tidewire data download`: closed bars from the exchange's public list into a recording. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { configSource, seedOption, timeOption } from '../../config-option.ts';
import { progressBar } from '../../terminal/progress-bar.ts';
import { candleIntervalsMs, type CandleInterval } from '../../../exchange/wire/market/market-data.ts';
import { seededRandom } from '../../../model/random.ts';
import {
  downloadBars,
  type BarRequest,
  type Downloaded,
  type ListedBar,
} from '../../../recording/download/download.ts';
import { remarks } from '../../../recording/info.ts';
import { loadConfig } from '../../../session/config/load.ts';
import { connect, type Connection } from '../../../session/connection/connection.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { createLogger } from '../../../session/store/logger.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

interface Options {
  readonly symbols: string;
  readonly interval: string;
  readonly from: string;
  readonly to?: string;
  readonly trades?: boolean;
  readonly out: string;
  readonly compress: boolean;
  readonly seed?: string;
  readonly config?: string;
}

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const GAPS_SHOWN = 5;

export function downloadCommand(io: CliIo): Command {
  return new Command('download')
    .description('bring closed bars from the exchange’s public list into a recording')
    .requiredOption('--symbols <A,B>', 'the symbols, with commas')
    .requiredOption('--from <TIME>', 'the first bar, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'the end; now by default')
    .option('--interval <T>', Object.keys(candleIntervalsMs).join(', '), '1m')
    .requiredOption('--out <DIR>', 'the recording; an earlier download of the same is replaced')
    .option('--trades', 'the exchange has no list of past trades: says what to do instead')
    .option('--no-compress', 'keep frames uncompressed')
    .option('--seed <N>', 'seed of the embedded sandbox')
    .option('--config <FILE>', 'configuration file: names the exchange and its request budget')
    .addHelpText(
      'after',
      `
After an interruption the same command continues after the last complete page; the recording is the same as of one run.
Bars that the exchange does not list are reported as gaps: a sandbox lists them from one day before it was started.
The requests keep to exchange.budget.

Example:
  npx tidewire data download --symbols BTCUSDT --interval 1m --from $(date -u +%F) --out data/recordings/btc-1m`,
    )
    .action(action(io, (options: Options) => download(io, options)));
}

async function download(io: CliIo, options: Options): Promise<CommandResult> {
  if (options.trades === true)
    throw sessionErrors.make(
      'bad_option',
      '--trades: the interface of the exchange has no list of past public trades; `tidewire record` keeps them from now on',
      { option: 'trades' },
    );
  const { config } = loadConfig(configSource(io, options.config));
  const interval = intervalOf(options.interval);
  const from = timeOption('from', options.from) ?? 0;
  const to = timeOption('to', options.to) ?? null;
  if (to !== null && to <= from)
    throw sessionErrors.make('bad_option', `--to ${options.to} is not after --from ${options.from}`, { option: 'to' });
  const symbols = [...new Set(options.symbols.split(',').map((symbol) => symbol.trim()))].filter((text) => text !== '');
  const seed = seedOption(options.seed) ?? 1;
  const logger = createLogger({ level: 'warn', write: io.err });
  const exchange = config.exchange;
  const random = seededRandom(seed);
  const connection = await connect({ exchange, credentials: null, clock: systemClock, random, logger, seed });
  const bar = progressBar(io, 'downloading');
  try {
    const done = await downloadBars({
      asked: { exchange: connection.name, symbols, interval, from, to },
      intervalMs: candleIntervalsMs[interval],
      instruments: symbols.map((symbol) => instrumentOf(connection, symbol)),
      out: resolve(io.cwd, options.out),
      now: connection.clock.now(),
      compress: options.compress,
      list: (request) => insistently(connection, interval, request),
      progress: (fraction) => bar.update(fraction),
    });
    return { json: resultJson(options, interval, from, done), text: resultText(options.out, interval, done) };
  } finally {
    bar.stop();
    await connection.close();
  }
}

function intervalOf(text: string): CandleInterval {
  const known = Object.keys(candleIntervalsMs) as CandleInterval[];
  const interval = known.find((name) => name === text);
  if (interval !== undefined) return interval;
  throw sessionErrors.make('bad_option', `--interval ${text}: the exchange lists ${known.join(', ')}`, {
    option: 'interval',
  });
}

function instrumentOf(
  { instruments, name }: Connection,
  symbol: string,
): NonNullable<ReturnType<Connection['instruments']['find']>>['spec'] {
  const found = instruments.find(symbol);
  if (found !== undefined) return found.spec;
  const some = instruments
    .all()
    .slice(0, 10)
    .map((instrument) => instrument.symbol);
  throw sessionErrors.make('bad_option', `--symbols ${symbol}: ${name} has ${some.join(', ')}`, { option: 'symbols' });
}

/** The client never retries; a list can be asked for again. */
async function insistently(
  { exchange, clock }: Connection,
  interval: CandleInterval,
  request: BarRequest,
): Promise<readonly ListedBar[]> {
  for (let attempt = 1; ; attempt++) {
    const answer = await exchange.marketData.candles({ ...request, interval });
    if (answer.kind !== 'failed') return answer.value;
    if (attempt === ATTEMPTS) throw answer.error;
    const over = Promise.withResolvers<void>();
    clock.after(FIRST_WAIT_MS * 2 ** (attempt - 1), over.resolve);
    await over.promise;
  }
}

function resultJson({ out }: Options, interval: CandleInterval, from: number, done: Downloaded): object {
  const { recording, to, symbols, pages, kept } = done;
  const { problems, warnings } = recording.found;
  return { command: 'data download', path: out, interval, from, to, symbols, pages, kept, problems, warnings };
}

function resultText(out: string, interval: CandleInterval, { symbols, pages, kept, recording }: Downloaded): string {
  const lines = Object.entries(symbols).flatMap(([symbol, { bars, missing, gaps }]) => [
    `${symbol}: ${bars.toLocaleString('en')} bars of ${interval}${missing === 0 ? '' : `, ${missing.toLocaleString('en')} are not listed`}`,
    ...gaps
      .slice(0, GAPS_SHOWN)
      .map((gap) => `  gap of ${gap.bars}: ${new Date(gap.from).toISOString()} to ${new Date(gap.to).toISOString()}`),
    ...(gaps.length > GAPS_SHOWN ? [`  and ${gaps.length - GAPS_SHOWN} more gaps; --json has them all`] : []),
  ]);
  return [
    ...lines,
    `${out}: ${pages} pages${kept === 0 ? '' : `, ${kept} of them from before`}`,
    ...remarks(recording.found),
    `next: npx tidewire backtest strategies/ema-cross.ts --data ${out}`,
  ].join('\n');
}
