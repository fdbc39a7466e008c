/** `tidewire overdraft me|loan|fee|documents`: the credit line, what is owed, what borrowing costs, the agreements. */
import { Command } from 'commander';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import type { OverdraftLoan } from '../../../model/funds/money-records.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { amountOption, withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';

export function loanText({ principal, interest, total, openedAt }: OverdraftLoan, currency: string): string {
  if (dec(total).isZero()) return 'nothing is owed';
  return table([
    ['principal', `${principal} ${currency}`],
    ['interest', `${interest} ${currency}`],
    ['together', `${total} ${currency}`],
    ['open since', timeText(openedAt)],
  ]);
}

export function buildMe(io: CliIo): Command {
  return withConfig(new Command('me').description('Show the credit line.'))
    .addHelpText('after', operationHelp(['overdraft me --config config/sandbox.yaml'], ['overdraft']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const line = answered('the overdraft', await exchange.money.overdraft.status());
          const { enabled, limit, used, available, interestRateDaily, currency } = line;
          const text = table([
            ['enabled', enabled ? 'yes' : 'no: ask the exchange for it'],
            ['limit', `${limit} ${currency}`],
            ['used', `${used} ${currency}`],
            ['available', `${available} ${currency}`],
            ['interest', `${decimalText(dec(interestRateDaily).times(100))} % a day`],
          ]);
          return { json: { command: 'overdraft me', ...line }, text };
        }),
      ),
    );
}

export function buildLoan(io: CliIo): Command {
  return withConfig(new Command('loan').description('Show what is owed.'))
    .addHelpText(
      'after',
      operationHelp(['overdraft loan --config config/sandbox.yaml'], ['overdraftLoan', 'overdraft']),
    )
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const { currency } = answered('the overdraft', await exchange.money.overdraft.status());
          const loan = answered('the loan', await exchange.money.overdraft.loan());
          return { json: { command: 'overdraft loan', ...loan, currency }, text: loanText(loan, currency) };
        }),
      ),
    );
}

export function buildFee(io: CliIo): Command {
  return withConfig(new Command('fee').description('Show what a loan would cost a day.'))
    .argument('<amount>', 'what would be borrowed')
    .addHelpText('after', operationHelp(['overdraft fee 1000 --config config/sandbox.yaml'], ['overdraftFee']))
    .action(
      action(io, async (text: string, options: OperationOptions) => {
        const amount = amountOption('AMOUNT', text);
        return withExchange(io, options, 'key', async ({ exchange }) => {
          const fee = answered('the fee', await exchange.money.overdraft.fee(amount));
          return {
            json: { command: 'overdraft fee', ...fee },
            text: `borrowing ${fee.amount} costs ${fee.feePerDay} a day`,
          };
        });
      }),
    );
}

export function buildDocuments(io: CliIo): Command {
  return withConfig(new Command('documents').description('List the agreements.'))
    .addHelpText('after', operationHelp(['overdraft documents --config config/sandbox.yaml'], ['overdraftDocuments']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const items = answered('the documents', await exchange.money.overdraft.documents());
          const rows = items.map(({ documentId, title, url }) => [documentId, title, url]);
          const text = rows.length === 0 ? 'no documents' : table(rows, { head: ['id', 'title', 'address'] });
          return { json: { command: 'overdraft documents', complete: true, items }, text };
        }),
      ),
    );
}
