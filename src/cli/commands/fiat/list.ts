/**
 * `tidewire fiat list`. The interface has no such list: applications are fiat rows of the transaction history, under
 * their ids (assumed).
 */
import { Command } from 'commander';
import type { TransactionRow } from '../../../model/funds/money-records.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { fiatApplications } from '../../../operations/exchange/money-history.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';

interface Application {
  readonly applicationId: string;
  readonly type: string;
  readonly status: string;
  readonly currency: string;
  readonly amount: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

function rowOf({ transactionId, type, status, currency, amount, createdAt, updatedAt }: TransactionRow): Application {
  return { applicationId: transactionId, type, status, currency, amount, createdAt, updatedAt };
}

const HEAD = ['id', 'type', 'status', 'amount', 'created'];

function textOf(items: readonly TransactionRow[]): string {
  if (items.length === 0) return 'no applications';
  const rows = items.map((row) => [
    row.transactionId,
    row.type,
    row.status,
    `${row.amount} ${row.currency}`,
    timeText(row.createdAt),
  ]);
  return table(rows, { head: HEAD, right: [3] });
}

interface Options extends OperationOptions {
  readonly open?: boolean;
}

export function buildList(io: CliIo): Command {
  return withConfig(new Command('list').description('List fiat applications and how far they are.'))
    .option('--open', 'only those that are not over')
    .addHelpText('after', operationHelp(['fiat list --open --config config/sandbox.yaml'], ['transactions', 'assets']))
    .action(
      action(io, (options: Options) =>
        withExchange(io, options, 'key', async (open) =>
          listing({
            command: 'fiat list',
            what: 'applications',
            reading: await fiatApplications(open.exchange.money, options.open === true),
            text: textOf,
            row: rowOf,
          }),
        ),
      ),
    );
}
