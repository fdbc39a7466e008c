/**
 * `tidewire reconcile [--dry-run]`: compares the journal of a live session with the exchange and heals it.
 */
import { Command } from 'commander';
import { action, type BuildCommand, type CommandResult } from '../command.ts';
import { withLiveSession, type LiveSession } from '../live-session.ts';
import { changeText, moneyText } from '../../operations/plan/plan-text.ts';
import { sessionErrors } from '../../session/errors.ts';
import { heal } from '../../session/heal.ts';
import { isRunning } from '../../session/is-running.ts';
import type { SessionFolder } from '../../session/store.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly config?: string;
}

/** Throws `session_running`. */
export function refuseRunning(folder: SessionFolder): void {
  if (!isRunning(folder)) return;
  const { id, pid } = folder.record;
  throw sessionErrors.make('session_running', `${id} runs in process ${pid} and reconciles itself`);
}

export async function healed(session: LiveSession, dryRun: boolean): Promise<CommandResult> {
  const report = await heal({ ...session, dryRun });
  const { complete, changes, openOrders, unresolved, failures, money } = report;
  const requests = Object.values(report.requests).reduce((sum, count) => sum + count, 0);
  const what =
    changes.length === 0
      ? 'journal and exchange agree'
      : `${changes.length} changes${dryRun ? ' would be made, nothing was' : ' made'}`;
  const head = complete
    ? `${report.session}: ${what}; ${openOrders} open orders, ${unresolved} unresolved; ${requests} requests`
    : `${report.session}: not everything could be read: ${failures.join('; ')}`;
  return {
    json: { command: 'reconcile', ...report },
    text: [
      head,
      ...changes.map((change) => `  ${changeText(change)}`),
      ...money.map((one) => `  ${moneyText(one)}`),
    ].join('\n'),
    exit: complete ? 0 : 4,
  };
}

export const build: BuildCommand = (io) =>
  new Command('reconcile')
    .description('Compare the journal of a live session with the exchange, and heal it.')
    .argument('[session]', 'id or folder; the newest live session by default')
    .option('--dry-run', 'only say what differs')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire reconcile --dry-run --config config/sandbox.yaml')
    .action(
      action(io, (session: string | undefined, options: Options) => {
        const dryRun = options.dryRun === true;
        const allow = dryRun ? (): void => {} : refuseRunning;
        return withLiveSession(io, { session, config: options.config, allow }, (live) => healed(live, dryRun));
      }),
    );
