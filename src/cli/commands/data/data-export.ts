/** `tidewire data export`: a recording as CSV, JSON lines or Parquet. */
import { Command } from 'commander';
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { timeOption } from '../../config-option.ts';
import { progressBar } from '../../terminal/progress-bar.ts';
import { recordingErrors } from '../../../recording/errors.ts';
import { EXPORT_FORMATS, type ExportOptions, exportTape, isExportFormat } from '../../../recording/export/export.ts';
import { KINDS } from '../../../recording/tape/tape-chunk.ts';
import { openTape } from '../../../recording/tape/open-tape.ts';
import type { MarketEventKind } from '../../../model/market/market-event.ts';

interface Options {
  readonly format: string;
  readonly out?: string;
  readonly order: string;
  readonly kinds?: string;
  readonly symbols?: string;
  readonly from?: string;
  readonly to?: string;
  readonly strict?: boolean;
}

export function exportCommand(io: CliIo): Command {
  return new Command('export')
    .description('write a recording as CSV, JSON lines or Parquet')
    .argument('<path>', 'a recording, a tape, or a directory of them')
    .option('--format <FORMAT>', EXPORT_FORMATS.join(', '), 'csv')
    .option('--out <FILE>', 'the file; by default the name of the recording with the format as its ending')
    .option('--order <ORDER>', 'receive or exchange', 'receive')
    .option('--kinds <LIST>', `with commas: ${KINDS.join(', ')}`)
    .option('--symbols <LIST>', 'with commas')
    .option('--from <TIME>', 'ISO 8601 or Unix ms, exchange time, inclusive')
    .option('--to <TIME>', 'exclusive')
    .option('--strict', 'exit 5 when part of the recording is lost or unreadable')
    .addHelpText('after', '\nExample:\n  npx tidewire data export data/recordings/btc --format parquet --kinds trade')
    .action(
      action(io, async (path: string, options: Options): Promise<CommandResult> => {
        const request = requestOf(io, path, options);
        const fromMs = timeOption('from', options.from);
        const toMs = timeOption('to', options.to);
        const bar = progressBar(io, 'reading');
        const tape = await openTape([resolve(io.cwd, path)], {
          progress: (fraction) => bar.update(fraction),
          ...(fromMs === undefined ? {} : { fromMs }),
          ...(toMs === undefined ? {} : { toMs }),
        }).finally(() => bar.stop());
        try {
          const done = await exportTape(tape, request);
          return {
            json: { ...done, format: request.format, warnings: tape.warnings },
            text: `${done.out}: ${done.rows} rows of ${done.events} events`,
            ...(options.strict === true && tape.damaged ? { exit: 5 } : {}),
          };
        } finally {
          tape.close();
        }
      }),
    );
}

function requestOf(io: CliIo, path: string, options: Options): ExportOptions {
  const { format, order } = options;
  if (!isExportFormat(format)) {
    throw recordingErrors.make('export_unknown_format', `--format ${format}: expected ${EXPORT_FORMATS.join(', ')}`);
  }
  if (order !== 'receive' && order !== 'exchange') {
    throw recordingErrors.make('import_bad_option', `--order ${order}: expected receive or exchange`);
  }
  const out = resolve(io.cwd, options.out ?? `${basename(path)}.${format}`);
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw recordingErrors.make('import_bad_option', `--out ${out}: expected a file, this is a folder`);
  }
  const kinds = options.kinds?.split(',').map(kindOf);
  const symbols = options.symbols?.split(',');
  return {
    format,
    out,
    order,
    ...(kinds === undefined ? {} : { kinds }),
    ...(symbols === undefined ? {} : { symbols }),
  };
}

function kindOf(name: string): MarketEventKind {
  const kind = KINDS.find((candidate) => candidate === name);
  if (kind !== undefined) return kind;
  throw recordingErrors.make('import_bad_option', `--kinds ${name}: expected ${KINDS.join(', ')}`);
}
