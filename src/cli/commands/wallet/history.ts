/** `tidewire wallet history`: deposits and withdrawals, newest first. */
import { Command, Option } from 'commander';
import type { TransactionRow } from '../../../model/funds/money-records.ts';
import type { Reading } from '../../../model/result.ts';
import { action, type CliIo } from '../../command.ts';
import { timeOption } from '../../config-option.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OpenExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { depositsAndWithdrawals } from '../../../operations/exchange/money-history.ts';
import { transactionsText } from '../account/transactions.ts';

const types = ['deposit', 'withdrawal'] as const;

interface Options extends OperationOptions {
  readonly type?: (typeof types)[number];
  readonly from?: string;
  readonly to?: string;
}

async function readHistory({ exchange }: OpenExchange, { type, ...period }: Options): Promise<Reading<TransactionRow>> {
  const from = timeOption('from', period.from);
  const to = timeOption('to', period.to);
  return depositsAndWithdrawals(exchange.money.transfers, { type, from, to });
}

export function buildHistory(io: CliIo): Command {
  return withConfig(new Command('history').description('List deposits and withdrawals, newest first.'))
    .addOption(new Option('--type <TYPE>', 'only these').choices(types))
    .option('--from <TIME>', 'created at or after, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'created at or before')
    .addHelpText(
      'after',
      operationHelp(['wallet history --type withdrawal --config config/sandbox.yaml'], ['transactions']),
    )
    .action(
      action(io, (options: Options) =>
        withExchange(io, options, 'key', async (open) =>
          listing({
            command: 'wallet history',
            what: 'deposits and withdrawals',
            reading: await readHistory(open, options),
            text: transactionsText,
          }),
        ),
      ),
    );
}
