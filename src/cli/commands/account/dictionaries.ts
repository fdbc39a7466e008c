/** `tidewire account assets`: the currencies of the exchange. A key needs the category `dictionary`. */
import { Command } from 'commander';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { table } from '../../terminal/table.ts';

export function buildAssets(io: CliIo): Command {
  return withConfig(new Command('assets').description('List the currencies of the exchange.'))
    .addHelpText('after', operationHelp(['account assets --config config/sandbox.yaml'], ['assets']))
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange }) => {
          const items = answered('the assets', await exchange.money.dictionaries.assets());
          const rows = items.map(({ currency, title, isCoin, precision }) => [
            currency,
            title,
            isCoin ? 'crypto' : 'fiat',
            String(precision),
          ]);
          const text = table(rows, { head: ['currency', 'title', 'kind', 'decimals'], right: [3] });
          return { json: { command: 'account assets', complete: true, items }, text };
        }),
      ),
    );
}
