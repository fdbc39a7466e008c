/**
 * `tidewire reconcile [--dry-run]`: heals a live session's journal by the exchange. `--ours` and `--not-ours` decide on
 * orders of unknown outcome.
 */
import { Command, InvalidArgumentError } from 'commander';
import { action, type BuildCommand, type CommandResult } from '../command.ts';
import { withLiveSession, type LiveSession } from '../sessions/live-session.ts';
import { cliErrors } from '../errors.ts';
import { repeated } from '../config-option.ts';
import { clientOrderIdOf } from '../../spine/intent-id.ts';
import { readJournal } from '../../journal/verify.ts';
import type { Ownership } from '../../reconciler/ownership.ts';
import { intentCalled } from '../../operations/why/order-lookup.ts';
import { changeText, moneyText } from '../../operations/plan/plan-text.ts';
import { sessionErrors } from '../../session/errors.ts';
import { heal, type Said } from '../../session/healing/heal.ts';
import { isRunning } from '../../session/store/is-running.ts';
import type { SessionFolder } from '../../session/store/store.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly ours?: readonly (readonly [name: string, orderId: string])[];
  readonly notOurs?: readonly string[];
  readonly reason?: string;
  readonly config?: string;
}

/** Throws `session_running`. */
export function refuseRunning(folder: SessionFolder): void {
  if (!isRunning(folder)) return;
  const { id, pid } = folder.record;
  throw sessionErrors.make('session_running', `${id} runs in process ${pid} and reconciles itself`);
}

/** `ORDER=ID`: only a ref may contain `=`. */
function named(value: string, before: Options['ours'] = []): NonNullable<Options['ours']> {
  const at = value.lastIndexOf('=');
  if (at <= 0 || at === value.length - 1)
    throw new InvalidArgumentError('ORDER=ID is needed: the order of the bot, and the id of the exchange.');
  return [...before, [value.slice(0, at), value.slice(at + 1)]];
}

/** Undefined without a decision. Throws `operation_invalid`, `order_not_found`, `order_ambiguous`. */
function saidBy({ ours = [], notOurs = [], reason = '' }: Options, { path, record }: SessionFolder): Said | undefined {
  if (ours.length === 0 && notOurs.length === 0) {
    if (reason === '') return undefined;
    throw cliErrors.make('operation_invalid', '--reason goes with --ours or --not-ours');
  }
  if (reason === '')
    throw cliErrors.make('operation_invalid', 'how do you know? Give --reason; it is kept in the journal');
  const claims = ours.map(([name, orderId]) => ({
    orderId,
    intentId: intentCalled(readJournal(path), name, record.id),
  }));
  return { ownership: [...claims, ...notOurs.map((orderId) => ({ orderId, intentId: null }))], reason };
}

function ownershipText({ orderId, intentId }: Ownership): string {
  return intentId === null ? `order ${orderId} is external` : `order ${orderId} is ${clientOrderIdOf(intentId)}`;
}

export async function healed(session: LiveSession, dryRun: boolean, said?: Said): Promise<CommandResult> {
  const report = await heal({ ...session, dryRun }, said);
  const { complete, changes, openOrders, unresolved, failures, money, disagreements } = report;
  const wouldChange = dryRun && changes.length + money.length > 0;
  const isAgreed = disagreements.length === 0 && !wouldChange;
  const isDecided = report.undivided === 0;
  const requests = Object.values(report.requests).reduce((sum, count) => sum + count, 0);
  const what =
    changes.length === 0
      ? isAgreed
        ? 'journal and exchange agree'
        : 'journal and exchange do not agree'
      : `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}${dryRun ? ' would be made, nothing was' : ' made'}`;
  const head = complete
    ? `${report.session}: ${what}; ${openOrders} open orders, ${unresolved} unresolved; ${requests} requests`
    : `${report.session}: not everything could be read: ${failures.join('; ')}`;
  return {
    json: { command: 'reconcile', ...report },
    text: [
      head,
      ...report.ownership.map((one) => `  ${ownershipText(one)}`),
      ...report.divisions.map(({ id, choice }) => `  ${id}: ${choice}`),
      ...changes.map((change) => `  ${changeText(change)}`),
      ...money.map((one) => `  ${moneyText(one)}`),
      ...disagreements.map(({ message }) => `  ! ${message}`),
      ...(isDecided ? [] : [`  ! ${report.undivided} to be decided by you: \`tidewire plan\` shows the choices`]),
    ].join('\n'),
    exit: !complete ? 4 : isAgreed && isDecided ? 0 : 5,
  };
}

export const build: BuildCommand = (io) =>
  new Command('reconcile')
    .description('Compare the journal of a live session with the exchange, and heal it.')
    .argument('[session]', 'id or folder; by default the live one that runs, would be resumed, or is the newest')
    .option('--dry-run', 'only say what differs')
    .option('--ours <ORDER=ID>', 'an order of unknown outcome is that one at the exchange; repeatable', named)
    .option('--not-ours <ID>', 'that order at the exchange is none of the bot; repeatable', repeated)
    .option('--reason <text>', 'how you know; kept in the journal')
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nExits 0 when journal and exchange agree (after healing; with --dry-run: as they stand), by complete lists that were compared both ways; 5 when they do not; 4 when not everything could be read.\n\nExample:\n  npx tidewire reconcile --dry-run --config config/sandbox.yaml\n  npx tidewire reconcile --not-ours 4711 --reason "placed it on the exchange\'s page" --config config/sandbox.yaml',
    )
    .action(
      action(io, (session: string | undefined, options: Options) => {
        const dryRun = options.dryRun === true;
        let said: Said | undefined;
        const allow = (folder: SessionFolder): void => {
          if (!dryRun) refuseRunning(folder);
          said = saidBy(options, folder);
        };
        return withLiveSession(io, { session, config: options.config, allow }, (live) => healed(live, dryRun, said));
      }),
    );
