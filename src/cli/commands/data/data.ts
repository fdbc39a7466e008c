/**
 * `tidewire data import|download|info|verify|compile|export|prune`. Damage exits 5 with `--strict`; otherwise the rest is used and the
 * loss reported.
 */
import { Command } from 'commander';
import { resolve } from 'node:path';
import { action, type BuildCommand, type CliIo, type CommandResult } from '../../command.ts';
import { progressBar } from '../../terminal/progress-bar.ts';
import { gapsOf, recordingInfo, type RecordingInfo, remarks } from '../../../recording/info.ts';
import { locate } from '../../../recording/locate.ts';
import { tapeOf } from '../../../recording/tape/tape-cache.ts';
import { verifyRecording } from '../../../recording/verify.ts';
import { table } from '../../terminal/table.ts';
import { downloadCommand } from './data-download.ts';
import { exportCommand } from './data-export.ts';
import { importCommand } from './data-import.ts';
import { pruneCommand } from './data-prune.ts';

interface StrictOption {
  readonly strict?: boolean;
}

const INTEGRITY = 5;

/** 5 for damage with `--strict`. */
function exitFor(strict: boolean | undefined, problems: readonly string[]): { readonly exit?: number } {
  return strict === true && problems.length > 0 ? { exit: INTEGRITY } : {};
}

function info(io: CliIo): Command {
  return new Command('info')
    .description('what a recording holds')
    .argument('<path>', 'a recording, a tape, or a directory of them')
    .option('--strict', 'exit 5 when part of it is lost or unreadable')
    .addHelpText('after', '\nExample:\n  npx tidewire data info data/recordings/btc')
    .action(
      action(io, async (path: string, { strict }: StrictOption): Promise<CommandResult> => {
        const bar = progressBar(io, 'reading');
        const found = await recordingInfo(resolve(io.cwd, path), (fraction) => bar.update(fraction)).finally(() =>
          bar.stop(),
        );
        return { json: { ...found, path }, text: infoText(path, found), ...exitFor(strict, found.problems) };
      }),
    );
}

function infoText(path: string, found: RecordingInfo): string {
  const rows = Object.entries(found.symbols).map(([symbol, census]) => [
    symbol,
    ...[
      census.snapshots,
      census.depthMessages,
      census.levels,
      census.trades,
      census.topQuotes,
      census.candles,
      census.gaps,
      census.peakPerSecond,
    ].map((count) => count.toLocaleString('en')),
  ]);
  const head = ['symbol', 'snapshots', 'depth', 'levels', 'trades', 'quotes', 'candles', 'gaps', 'peak/s'];
  const clock = found.clockShiftMs === null ? 'one clock' : `receive − exchange at least ${found.clockShiftMs} ms`;
  return [
    `${path} (${found.source}): ${found.frames.toLocaleString('en')} frames, ${(found.bytes / 1e6).toFixed(1)} MB, ${clock}`,
    `${new Date(found.from).toISOString()} to ${new Date(found.to).toISOString()}`,
    '',
    table(rows, { head, right: [1, 2, 3, 4, 5, 6, 7, 8] }),
    ...remarks(found),
  ].join('\n');
}

function verify(io: CliIo): Command {
  return new Command('verify')
    .description('compare every checksum, decode every frame; exit 5 when something is lost')
    .argument('<path>', 'a recording, a tape, or a directory of them')
    .option('--strict', 'the same; verify is always strict')
    .addHelpText('after', '\nExample:\n  npx tidewire data verify data/recordings/btc --json')
    .action(
      action(io, async (path: string): Promise<CommandResult> => {
        const found = await verifyRecording(resolve(io.cwd, path));
        const lost = found.lostKnown ? `${found.lost}` : `at least ${found.lost}`;
        if (!found.ok) {
          const text = [`${path}: ${found.frames} frames are whole, ${lost} are lost`, ...found.problems].join('\n  ');
          return { json: found, text, exit: INTEGRITY };
        }
        const known = await recordingInfo(resolve(io.cwd, path));
        const text = [`${path}: ok, ${found.frames} frames`, ...remarks(known)].join('\n  ');
        return { json: { ...found, gaps: gapsOf(known) }, text };
      }),
    );
}

function compile(io: CliIo): Command {
  return new Command('compile')
    .description('build the tape of a recording beside it (backtest does so by itself)')
    .argument('<path>', 'a recording, or a directory of them')
    .option('--force', 'even when there is a good one')
    .option('--strict', 'exit 5 when part of the recording is lost or unreadable')
    .addHelpText('after', '\nExample:\n  npx tidewire data compile data/recordings/btc')
    .action(
      action(io, async (path: string, options: StrictOption & { readonly force?: boolean }): Promise<CommandResult> => {
        const bar = progressBar(io, 'compiling');
        const tapes: object[] = [];
        const lines: string[] = [];
        const problems: string[] = [];
        try {
          for (const place of locate(resolve(io.cwd, path))) {
            if (place.kind === 'tape') continue;
            const force = options.force === true;
            const tape = await tapeOf(place.path, { force, progress: (fraction) => bar.update(fraction) });
            const { counts, dataHash, warnings, problems: lost } = tape.file.footer;
            tapes.push({ path: tape.file.path, cached: tape.cached, events: counts, dataHash, warnings });
            problems.push(...lost);
            const found = `${tape.file.path}: ${counts.total.toLocaleString('en')} events`;
            lines.push([found + (tape.cached ? ', already compiled' : ''), ...warnings].join('\n  '));
            tape.release();
          }
        } finally {
          bar.stop();
        }
        return {
          json: { tapes, problems },
          text: [...lines, ...problems.map((problem) => `lost: ${problem}`)].join('\n'),
          ...exitFor(options.strict, problems),
        };
      }),
    );
}

export const build: BuildCommand = (io) =>
  new Command('data')
    .description('Import, download, inspect, verify, compile, export and prune recordings.')
    .addCommand(importCommand(io))
    .addCommand(downloadCommand(io))
    .addCommand(info(io))
    .addCommand(verify(io))
    .addCommand(compile(io))
    .addCommand(exportCommand(io))
    .addCommand(pruneCommand(io))
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire data import --from binance-collector frames.gz --symbol BTCUSDT --out data/recordings/btc',
    );
