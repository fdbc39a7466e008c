/**
 * `tidewire replay SESSION`: backtests the recording of a session and compares the decisions. Exit 5 when they differ.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../command.ts';
import { configSource } from '../config-option.ts';
import { loadConfig } from '../../session/config/load.ts';
import { createLogger } from '../../session/logger.ts';
import { replaySession, type ReplayReport } from '../../session/replay.ts';
import { findSession, listSessions } from '../../session/store.ts';
import { sessionErrors } from '../../session/errors.ts';

interface Options {
  readonly config?: string;
}

function reportText(report: ReplayReport): string {
  const { session, left, right, equal, first, timeShiftMsMax, fills } = report;
  const lines = [
    `${session}: ${left} decisions in the session, ${right} in the backtest, the first ${equal} are equal`,
    `largest shift of a decision in time: ${timeShiftMsMax.toFixed(3)} ms; fills ${fills.session} and ${fills.backtest}`,
  ];
  if (first === null) return [...lines, 'The decisions are the same.'].join('\n');
  return [
    ...lines,
    `first difference, decision ${first.index + 1}:`,
    `  session   ${first.left === null ? 'nothing' : JSON.stringify(first.left)}`,
    `  backtest  ${first.right === null ? 'nothing' : JSON.stringify(first.right)}`,
  ].join('\n');
}

export const build: BuildCommand = (io) =>
  new Command('replay')
    .description('Backtest the recording of a session and compare every decision with the one that was made.')
    .argument('[session]', 'id or folder; the newest session by default')
    .option('--config <FILE>', 'the configuration that the session ran with')
    .addHelpText('after', '\nExample:\n  npx tidewire replay')
    .action(
      action(io, async (wanted: string | undefined, options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const root = resolve(io.cwd, config.journal.dir);
        const folder = wanted === undefined ? listSessions(root)[0] : findSession(root, wanted);
        if (folder === undefined) throw sessionErrors.make('session_not_found', `there is no session under ${root}`);
        const report = await replaySession(folder, config, createLogger({ level: 'warn', write: io.err }));
        return {
          json: { command: 'replay', ...report },
          text: reportText(report),
          exit: report.first === null ? 0 : 5,
        };
      }),
    );
