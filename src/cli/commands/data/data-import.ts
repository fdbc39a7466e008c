/** `tidewire data import`: foreign market data into a recording. */
import { Command } from 'commander';
import { resolve } from 'node:path';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { recordingErrors } from '../../../recording/errors.ts';
import { IMPORT_FORMATS, isImportFormat } from '../../../recording/importers/formats.ts';
import type { ImportFormat } from '../../../recording/importers/importer.ts';
import { importRecording, type ImportOptions, type ImportResult } from '../../../recording/importers/import.ts';
import { gapsOf, remarks } from '../../../recording/info.ts';
import { parseDuration } from '../../../model/time.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';
import { keepYoungGeneration } from '../../heap-growth.ts';

interface Options {
  readonly from: string;
  readonly symbol?: string;
  readonly out: string;
  readonly market?: string;
  readonly instrument?: string;
  readonly interval?: string;
  readonly timestamp?: string;
  readonly volume?: string;
  readonly compress: boolean;
  readonly strict?: boolean;
}

export function importCommand(io: CliIo): Command {
  return new Command('import')
    .description('bring market data of another program or vendor into a recording')
    .argument('<file...>', 'input files or pipes, plain, .gz or .zip')
    .requiredOption('--from <FORMAT>', IMPORT_FORMATS.join(', '))
    .requiredOption('--out <DIR>', 'the recording; an earlier import of the same is replaced')
    .option('--symbol <S>', 'the symbol, as the data names it; several with commas where the data names them')
    .option('--market <KIND>', 'spot or derivative; else derivative when depth carries pu')
    .option('--instrument <FILE>', 'JSON with tick, lot and minima, instead of what the data suggest')
    .option('--interval <T>', 'of candles that do not name it: 1m, 5m, 1h')
    .option('--timestamp <WHICH>', 'of candles-csv: open or close time stands in the file', 'open')
    .option('--volume <WHICH>', 'of candles-csv: base or quote currency', 'base')
    .option('--no-compress', 'keep frames uncompressed')
    .option('--strict', 'fail with exit 5 when something cannot be read')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire data import --from candles-csv btc-1m.csv.gz --symbol BTCUSD --interval 1m --timestamp close --volume quote --out data/recordings/btc-1m',
    )
    .action(
      action(io, async (files: string[], options: Options): Promise<CommandResult> => {
        const request = requestOf(io, files, options);
        keepYoungGeneration();
        const done = await importRecording(request).finally(() => (io.isTty ? io.err('\r') : undefined));
        return { json: resultJson(options.out, done), text: resultText(options.out, done) };
      }),
    );
}

function resultJson(out: string, { manifest, found, frames, lines }: ImportResult): object {
  const { source, symbols, instruments, rules } = manifest;
  const { warnings, problems } = found;
  return { path: out, source, frames, lines, symbols, instruments, rules, warnings, problems, gaps: gapsOf(found) };
}

function resultText(out: string, { manifest, found, frames, lines }: ImportResult): string {
  return [
    `${out}: ${frames} frames of ${manifest.symbols.join(', ')} from ${lines} lines`,
    ...remarks(found),
    `next: npx tidewire data info ${out}`,
  ].join('\n');
}

function requestOf(io: CliIo, files: readonly string[], options: Options): ImportOptions {
  if (!isImportFormat(options.from)) throw badOption('from', options.from, IMPORT_FORMATS);
  const symbols = (options.symbol ?? '').split(',').filter((symbol) => symbol !== '');
  if (symbols.length === 0 && options.from !== 'jsonl') {
    throw recordingErrors.make('import_bad_option', `--symbol is needed for ${options.from}`);
  }
  const market = oneOf('market', options.market, ['spot', 'derivative']);
  const timestamp = oneOf('timestamp', options.timestamp, ['open', 'close']);
  const volume = oneOf('volume', options.volume, ['base', 'quote']);
  const intervalMs = intervalOf(options.interval);
  requireMeaning(options.from, options);
  return {
    format: options.from,
    files: files.map((file) => resolve(io.cwd, file)),
    symbols,
    out: resolve(io.cwd, options.out),
    now: systemClock.now(),
    compress: options.compress,
    strict: options.strict === true,
    ...(market === undefined ? {} : { market }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(volume === undefined ? {} : { volume }),
    ...(intervalMs === undefined ? {} : { intervalMs }),
    ...(options.instrument === undefined ? {} : { instrumentFile: resolve(io.cwd, options.instrument) }),
    ...(io.isTty ? { progress: (frames: number) => io.err(`\r${frames.toLocaleString('en')} frames `) } : {}),
  };
}

/** An option that decides what bars mean is never dropped silently. @throws import_bad_option */
function requireMeaning(from: ImportFormat, { interval, timestamp, volume }: Options): void {
  if (from === 'candles-csv') return;
  const ignored = [
    ...(timestamp === 'close' ? ['timestamp close'] : []),
    ...(volume === 'quote' ? ['volume quote'] : []),
    ...(interval !== undefined && from !== 'jsonl' ? ['interval'] : []),
  ];
  for (const option of ignored)
    throw recordingErrors.make('import_bad_option', `--${option} would be ignored: ${from} defines it itself`, {
      option,
    });
}

function intervalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms > 0) return ms;
  throw recordingErrors.make('import_bad_option', `--interval ${text} is not a duration such as 1m, 5m or 1h`);
}

function oneOf<const Value extends string>(
  name: string,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  if (text === undefined) return undefined;
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) throw badOption(name, text, values);
  return value;
}

function badOption(name: string, text: string, values: readonly string[]): Error {
  return recordingErrors.make('import_bad_option', `--${name} ${text}: expected ${values.join(', ')}`, {
    option: name,
  });
}
