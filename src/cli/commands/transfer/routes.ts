/** `tidewire transfer routes`: which account can send what to which. */
import { Command } from 'commander';
import type { TransferRoute } from '../../../model/funds/money-records.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { table } from '../../terminal/table.ts';

function currenciesText({ currencies }: TransferRoute): string {
  return currencies === null ? 'all' : currencies.join(', ');
}

export function buildRoutes(io: CliIo): Command {
  return withConfig(new Command('routes').description('List which account can send what to which.'))
    .addHelpText('after', operationHelp(['transfer routes --config config/sandbox.yaml'], ['transferRoutes']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const items = answered('the routes', await exchange.money.transfers.routes());
          const rows = items.map((route) => [route.from, route.to, currenciesText(route)]);
          const text = rows.length === 0 ? 'no routes' : table(rows, { head: ['from', 'to', 'currencies'] });
          return { json: { command: 'transfer routes', complete: true, items }, text };
        }),
      ),
    );
}
