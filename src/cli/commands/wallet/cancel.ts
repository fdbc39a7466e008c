/** `tidewire wallet cancel`: cancels a withdrawal not yet in process. */
import { Command } from 'commander';
import type { TransactionRow } from '../../../model/funds/money-records.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { moveMoney } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { withConsent } from '../../operations/options.ts';
import { listed, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { withdrawals, WITHDRAWAL_LOOK } from './shown.ts';

const WHAT = 'the cancellation';

async function cancel(
  io: CliIo,
  open: OpenExchange,
  transactionId: string,
  options: MutatingOptions,
): Promise<CommandResult> {
  const isIt = (each: TransactionRow): boolean => each.transactionId === transactionId;
  const row = listed('withdrawals', await withdrawals(open)).find(isIt);
  if (row === undefined) {
    throw refusedBeforehand(WHAT, 'bad_request', `no withdrawal of this account has the id ${transactionId}`, 'id');
  }
  const { status, amount, fee, currency } = row;
  if (status === 'processing') {
    throw refusedBeforehand(WHAT, 'already_processing', `withdrawal ${transactionId} is in processing`);
  }
  if (status !== 'submitted' && status !== 'created') {
    throw refusedBeforehand(WHAT, 'illegal_transition', `withdrawal ${transactionId} is ${status}`);
  }
  const rows = [
    ['withdrawal', `${transactionId}, ${status}`],
    ['comes free', `${amount} and the fee of ${fee} ${currency}`],
  ] as const;
  await confirmPlan(io, { title: `cancel withdrawal ${transactionId}`, rows, warnings: [] }, options);
  const canceled = await moveMoney(io, open, {
    request: { kind: 'cancelWithdrawal', transactionId },
    what: WHAT,
    look: WITHDRAWAL_LOOK,
  });
  return {
    json: { command: 'wallet cancel', ...canceled },
    text: `withdrawal ${transactionId} is ${canceled.status}`,
  };
}

export function buildCancel(io: CliIo): Command {
  return withConsent(new Command('cancel').description('Cancel a withdrawal that is not processed yet.'))
    .argument('<id>', 'transaction id, as `wallet history` lists it')
    .addHelpText(
      'after',
      operationHelp(['wallet cancel 17 --config config/sandbox.yaml'], ['cancelWithdrawal', 'transactions']),
    )
    .action(
      action(io, (id: string, options: MutatingOptions) =>
        withExchange(io, options, 'key', (open) => cancel(io, open, id, options)),
      ),
    );
}
