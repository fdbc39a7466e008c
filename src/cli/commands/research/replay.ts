/** `tidewire replay SESSION`: replays a recording and compares decisions. Exit 5 when they differ. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configBeside } from '../../config-option.ts';
import { createLogger } from '../../../session/store/logger.ts';
import { replaySession, type ReplayReport } from '../../../session/replay/replay.ts';
import { findSession, listSessions } from '../../../session/store/store.ts';
import { sessionErrors } from '../../../session/errors.ts';

interface Options {
  readonly config?: string;
  readonly simulate?: boolean;
}

function timeText(ms: number): string {
  return `${new Date(ms).toISOString()} (${ms})`;
}

function differenceText({ index, at, input, reason, left, right }: NonNullable<ReplayReport['first']>): string {
  const sequence = input?.sequence === null || input === null ? '' : `, sequence ${input.sequence}`;
  return [
    `first difference: decision ${index + 1}, at ${timeText(at)}`,
    `  reason    ${reason}`,
    `  after     ${input === null ? 'nothing' : `${input.stream}${sequence}, received ${timeText(input.receivedAt)}`}`,
    `  session   ${left === null ? 'nothing' : JSON.stringify(left)}`,
    `  replay    ${right === null ? 'nothing' : JSON.stringify(right)}`,
  ].join('\n');
}

function reportText({
  session,
  left,
  right,
  equal,
  first,
  timeShiftMsMax,
  account,
  fills,
  warnings,
}: ReplayReport): string {
  return [
    `${session}: ${left} decisions in the session, ${right} in the replay, the first ${equal} are equal`,
    `largest shift of a decision in time: ${timeShiftMsMax.toFixed(3)} ms; the account was ${account}`,
    ...(fills === null ? [] : [`fills: ${fills.session} in the session, ${fills.backtest} simulated`]),
    ...warnings.map((warning) => `warning: ${warning}`),
    first !== null
      ? differenceText(first)
      : left + right === 0
        ? 'There is no decision to compare.'
        : 'The decisions are the same.',
  ].join('\n');
}

export const build: BuildCommand = (io) =>
  new Command('replay')
    .description(
      'Show what a session saw to its strategies again and compare every decision with the one that was made.',
    )
    .argument('[session]', 'id or folder; the newest session by default')
    .option('--config <FILE>', 'the configuration that the session ran with')
    .option(
      '--simulate',
      'simulate the venue again, instead of replaying the account reports that the session received',
    )
    .addHelpText('after', '\nExample:\n  npx tidewire replay')
    .action(
      action(io, async (wanted: string | undefined, options: Options) => {
        const config = configBeside(io, options.config);
        const root = resolve(io.cwd, config.journal.dir);
        const folder = wanted === undefined ? listSessions(root)[0] : findSession(root, wanted);
        if (folder === undefined) throw sessionErrors.make('session_not_found', `there is no session under ${root}`);
        const logger = createLogger({ level: 'warn', write: io.err });
        const report = await replaySession({ folder, config, logger, simulate: options.simulate === true });
        return {
          json: { command: 'replay', ...report },
          text: reportText(report),
          exit: report.first === null ? 0 : 5,
        };
      }),
    );
