/** `tidewire account transactions`: filtered money history; one page, or all with `--all`. */
import { Command, Option } from 'commander';
import { limits } from '../../../exchange/interface/limits.ts';
import {
  transactionStatuses,
  transactionTypes,
  type TransactionStatus,
  type TransactionType,
} from '../../../exchange/interface/states.ts';
import type { TransactionRow } from '../../../model/funds/money-records.ts';
import { dec } from '../../../model/numbers/money.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { timeOption } from '../../config-option.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OpenExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { countOption, withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { minuteText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';

interface Options extends OperationOptions {
  readonly type?: TransactionType;
  readonly status?: TransactionStatus;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
  readonly cursor?: string;
  readonly all?: boolean;
}

const HEAD = ['id', 'time', 'type', 'status', 'amount'];

/** The fee follows the amount; the account is in `--json`. */
export function transactionsText(items: readonly TransactionRow[]): string {
  if (items.length === 0) return 'no transactions';
  const rows = items.map(({ transactionId, createdAt, type, status, amount, fee, currency }) => [
    transactionId,
    minuteText(createdAt),
    type,
    status,
    `${amount}${dec(fee).isZero() ? '' : ` + ${fee}`} ${currency}`,
  ]);
  return table(rows, { head: HEAD, right: [4] });
}

function moreText(nextCursor: string | null): string {
  if (nextCursor === null) return 'there may be more: the exchange says nothing of it, an earlier --to shows them';
  return `there are more: --cursor ${nextCursor} shows the next, --all all of them`;
}

const command = 'account transactions';

async function transactions({ exchange }: OpenExchange, options: Options): Promise<CommandResult> {
  const { type, status, cursor, all } = options;
  const from = timeOption('from', options.from);
  const to = timeOption('to', options.to);
  if (from !== undefined && to !== undefined && from > to)
    throw cliErrors.make('operation_invalid', '--from is later than --to', { option: 'from' });
  const filter = {
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  const { transfers } = exchange.money;
  if (all === true) {
    const reading = await transfers.transactions(filter);
    return listing({
      command,
      what: 'transactions',
      reading,
      text: transactionsText,
      more: () => ({ nextCursor: null }),
    });
  }
  const limit = countOption('limit', options.limit, limits.pageLimitMax);
  const page = answered(
    'the transactions',
    await transfers.transactionPage({ ...filter, limit, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const { items, nextCursor, isLast } = page;
  return {
    json: { command, complete: isLast, items, nextCursor },
    text: `${transactionsText(items)}${isLast ? '' : `\n${moreText(nextCursor)}`}`,
  };
}

export function buildTransactions(io: CliIo): Command {
  return withConfig(
    new Command('transactions').description('List deposits, withdrawals, transfers and the rest, newest first.'),
  )
    .addOption(new Option('--type <TYPE>', 'only of this type').choices(transactionTypes))
    .addOption(new Option('--status <STATUS>', 'only in this state').choices(transactionStatuses))
    .option('--from <TIME>', 'created at or after, ISO 8601 or Unix ms')
    .option('--to <TIME>', 'created at or before')
    .option('--limit <N>', `how many, at most ${limits.pageLimitMax}`, String(limits.pageLimitDefault))
    .option('--cursor <CURSOR>', 'continue where the last page ended')
    .option('--all', 'every page to the end')
    .addHelpText(
      'after',
      operationHelp(
        [
          'account transactions --type withdrawal --status completed --config config/sandbox.yaml',
          'account transactions --from 2026-01-01T00:00:00Z --all --json --config config/sandbox.yaml',
        ],
        ['transactions'],
      ),
    )
    .action(action(io, (options: Options) => withExchange(io, options, 'key', (open) => transactions(open, options))));
}
